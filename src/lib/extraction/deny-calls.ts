/** A processor architecture: its number in linux/audit.h, and the numbers of system calls. */
interface Architecture {
  readonly audit: number;
  readonly prctl: number;
  readonly socket: number;
  readonly unshare: number;
}

const ARCHITECTURES: Readonly<Partial<Record<NodeJS.Architecture, Architecture>>> = {
  x64: { audit: 0xc000003e, prctl: 157, socket: 41, unshare: 272 },
  arm64: { audit: 0xc00000b7, prctl: 167, socket: 198, unshare: 97 },
};
/** Sets up a ring through which sockets can be created without the system call; the same on all architectures. */
const IO_URING_SETUP = 425;
/** The first number of a second set of system calls on x64, with which a filter could be avoided. */
const X32_CALLS = 0x40000000;

const EACCES = 13;
/** Instructions and results of filters: linux/bpf_common.h, linux/seccomp.h. */
const [LOAD, IF_EQUAL, IF_AT_LEAST, RETURN] = [0x20, 0x15, 0x35, 0x06];
const [ALLOWED, DENIED] = [0x7fff0000, 0x00050000 + EACCES];
const [OFFSET_OF_CALL, OFFSET_OF_ARCHITECTURE] = [0, 4];

/** Sets no_new_privs and the filter by prctl, then runs the command. */
const PROGRAM = [
  "$prctl = 0 + shift",
  '$filter = pack "H*", shift',
  '$described = pack "Sx6P", length($filter) / 8, $filter',
  "syscall($prctl, 38, 1, 0, 0, 0) || syscall($prctl, 22, 2, $described) ? exit 1 : exec { $ARGV[0] } @ARGV",
].join("; ");

/**
 * The prefix of a command that may create no sockets (or, for tests, no namespaces): the kernel denies it those system
 * calls (https://www.kernel.org/doc/html/latest/userspace-api/seccomp_filter.html). Any user may set such a filter, also
 * in containers and in units of systemd, where network namespaces are out of reach. Node cannot; Perl, which is part of
 * Debian and Ubuntu, can. Undefined for other architectures.
 */
export function denying(call: "socket" | "unshare"): readonly string[] | undefined {
  const architecture = process.platform === "linux" ? ARCHITECTURES[process.arch] : undefined;
  if (architecture === undefined) return undefined;
  const filter = filterOf(architecture, [architecture[call], IO_URING_SETUP]);
  return ["perl", "-e", PROGRAM, String(architecture.prctl), filter.toString("hex")];
}

/** Each jump skips to the last instruction, which denies, or to the next. */
function filterOf({ audit }: Architecture, calls: readonly number[]): Buffer {
  const rest = calls.map((call, index) => instruction(IF_EQUAL, call, { ifTrue: calls.length - index + 1 }));
  return Buffer.concat([
    instruction(LOAD, OFFSET_OF_ARCHITECTURE),
    instruction(IF_EQUAL, audit, { ifFalse: calls.length + 3 }),
    instruction(LOAD, OFFSET_OF_CALL),
    ...rest,
    instruction(IF_AT_LEAST, X32_CALLS, { ifTrue: 1 }),
    instruction(RETURN, ALLOWED),
    instruction(RETURN, DENIED),
  ]);
}

function instruction(code: number, value: number, { ifTrue = 0, ifFalse = 0 } = {}): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
