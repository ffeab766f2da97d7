import { describe, expect, test } from "vitest";
import { UnsafeUrlError, checkUrl } from "./check-url.ts";

/** What leads into private networks, in every notation that a URL allows. */
const PRIVATE = [
  "http://127.0.0.1/",
  "http://127.1/",
  "http://127.255.255.254:8080/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0x7f.0.0.1/",
  "http://0177.0.0.1/",
  "http://017700000001/",
  "http://127.0.0.1./",
  "http://%31%32%37.0.0.1/",
  "http://①②⑦.⓪.⓪.①/",
  "http://127。0。0。1/",
  "http://10.0.0.1/",
  "http://0xa000001/",
  "http://167772161/",
  "http://172.16.0.1/",
  "http://172.31.255.255/",
  "http://192.168.1.1/",
  "http://192.168.257/",
  "http://100.64.0.1/",
  "http://100.127.255.255/",
  "http://[::1]/",
  "http://[0:0:0:0:0:0:0:1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://[0:0:0:0:0:ffff:a00:1]/",
  "http://[64:ff9b::10.0.0.1]/",
  "http://[64:ff9b::7f00:1]/",
  "http://[fc00::1]/",
  "http://[fdff:ffff::1]/",
];

/** What is rejected even if the operator allows private URLs. */
const FORBIDDEN = [
  "http://169.254.169.254/latest/meta-data/",
  "http://169.254.169.254./",
  "http://169.254.170.2/v2/credentials",
  "http://2852039166/",
  "http://0xA9FEA9FE/",
  "http://0251.0376.0251.0376/",
  "http://[::ffff:169.254.169.254]/",
  "http://[::ffff:a9fe:a9fe]/",
  "http://[64:ff9b::169.254.169.254]/",
  "http://[fd00:ec2::254]/",
  "http://[fd00:0ec2:0:0:0:0:0:0254]/",
  "http://[fd00:ec2::23]/",
  "http://[fd20:ce::254]/",
  "http://[fd00:42::42]/",
  "http://100.100.100.200/",
  "http://168.63.129.16/",
  "http://192.0.0.192/",
  "http://metadata.google.internal/computeMetadata/v1/",
  "http://METADATA.google.internal./",
  "http://metadata/",
  "http://metadata.goog/",
  "http://instance-data/",
  "http://0/",
  "http://0.0.0.0/",
  "http://0.1.2.3/",
  "http://[::]/",
  "http://[::127.0.0.1]/",
  "http://[2002:7f00:1::]/",
  "http://[2002:a9fe:a9fe::]/",
  "http://[2001:0:7f00:1::]/",
  "http://[64:ff9b:1::7f00:1]/",
  "http://[fe80::1]/",
  "http://[fe80::1%25eth0]/",
  "http://[fec0::1]/",
  "http://[ff02::1]/",
  "http://[100::1]/",
  "http://[2001:db8::1]/",
  "http://[3fff::1]/",
  "http://192.0.2.1/",
  "http://198.18.0.1/",
  "http://198.51.100.1/",
  "http://203.0.113.1/",
  "http://224.0.0.1/",
  "http://239.255.255.250/",
  "http://240.0.0.1/",
  "http://255.255.255.255/",
  "http://user@8.8.8.8/",
  "http://user:secret@example.com/",
  "http://example.com@127.0.0.1/",
  "http://example.com:80@169.254.169.254/",
  "file:///etc/passwd",
  "ftp://example.com/",
  "gopher://127.0.0.1:6379/_INFO",
  "data:text/plain,hello",
  "blob:http://example.com/1",
  "javascript:alert(1)",
  "unix:/var/run/docker.sock",
  "//127.0.0.1/",
  "/etc/passwd",
  "http://",
  "http://[::1",
  "http://1.2.3.256/",
  "http://127.0.0.1:99999/",
  "http://127.0.0.1:22/",
  "https://example.com:25/",
  "",
];

const PUBLIC = [
  "http://example.com/",
  "https://example.com:8443/path?q=1#part",
  "https://8.8.8.8/",
  "https://172.15.255.255/",
  "https://172.32.0.1/",
  "https://100.63.255.255/",
  "https://100.128.0.1/",
  "https://192.169.0.1/",
  "https://[2606:4700:4700::1111]/",
  "https://[::ffff:8.8.8.8]/",
  "https://[64:ff9b::8.8.8.8]/",
  "https://metadata.example.com/",
  "https://127.0.0.1.example.com/",
];

describe.each(PUBLIC)("%s", (url) => {
  test("may be asked", () => {
    expect(checkUrl(url, "public").href).toBe(new URL(url).href);
    expect(checkUrl(url, "private").href).toBe(new URL(url).href);
  });
});

describe.each(PRIVATE)("%s", (url) => {
  test("may be asked only where private networks are allowed", () => {
    expect(() => checkUrl(url, "public")).toThrow(/private network/);
    expect(checkUrl(url, "private").href).toBe(new URL(url).href);
  });
});

describe.each(FORBIDDEN)("%s", (url) => {
  test("is never asked", () => {
    expect(() => checkUrl(url, "public")).toThrow(UnsafeUrlError);
    expect(() => checkUrl(url, "private")).toThrow(UnsafeUrlError);
  });
});

test("a rejection names the host and not the path, which may hold a secret", () => {
  expect(() => checkUrl("http://10.0.0.1/hook/s3cret?key=s3cret", "public")).toThrow(
    expect.objectContaining({ message: expect.stringMatching(/^10\.0\.0\.1 is rejected: (?!.*s3cret)/) }),
  );
});
