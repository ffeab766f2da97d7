import { crc32, deflateRawSync } from "node:zlib";

/** A file of an archive. */
interface ArchiveFile {
  readonly name: string;
  readonly content: Buffer;
  /** What the directory says of its size, where that is not the truth. */
  readonly claimedSize?: number;
}

/** A ZIP archive. */
export function archive(files: readonly ArchiveFile[]): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const { name, content, claimedSize = content.length } of files) {
    const packed = deflateRawSync(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(claimedSize, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), fields, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const version = Buffer.from([20, 0]);
    entries.push(Buffer.concat([Buffer.from("PK\u0001\u0002"), version, fields, place, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, Buffer.from("PK\u0005\u0006"), end]);
}

const CONTENT_TYPES = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
  <Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
const RELATIONS = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
  <Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`;

/** A Word document with these paragraphs, and whatever else is put into it. */
export function wordDocument(paragraphs: readonly string[], more: readonly ArchiveFile[] = []): Buffer {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join("");
  const document = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  return archive([
    { name: "[Content_Types].xml", content: Buffer.from(CONTENT_TYPES) },
    { name: "_rels/.rels", content: Buffer.from(RELATIONS) },
    { name: "word/document.xml", content: Buffer.from(document) },
    ...more,
  ]);
}

/** A Word document with one table. */
export function wordTable(rows: readonly (readonly string[])[]): Buffer {
  const cell = (text: string) => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
  const table = rows.map((cells) => `<w:tr>${cells.map(cell).join("")}</w:tr>`).join("");
  return wordDocument([`</w:t></w:r></w:p><w:tbl>${table}</w:tbl><w:p><w:r><w:t>`]);
}

/** A PDF with a text in UCS-2, as hexadecimal digits, in a Chinese font with a predefined encoding, above a Latin one. */
export function chinesePdf(digits: string): Buffer {
  const stream = `BT /F2 12 Tf 72 720 Td <${digits}> Tj ET BT /F1 12 Tf 72 600 Td (Latin) Tj ET`;
  return pdfOf([
    ...HELVETICA_PAGES,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /Font << /F1 3 0 R /F2 6 0 R >> >> >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [7 0 R] >>",
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /FontDescriptor 8 0 R
      /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> >>`,
    `<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880] /ItalicAngle 0 /Ascent 880
      /Descent -120 /CapHeight 880 /StemV 93 >>`,
  ]);
}

/** A PDF with a form: these annotations on its one page, whose text is `Form`. */
export function pdfForm(annotations: readonly string[]): Buffer {
  const stream = "BT /F1 12 Tf 72 720 Td (Form) Tj ET";
  const fields = annotations.map((_, index) => `${6 + index} 0 R`).join(" ");
  return pdfOf(
    [
      ...HELVETICA_PAGES,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Annots [${fields}]
        /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ...annotations.map((each) => `<< /Type /Annot /Rect [0 0 99 9] /P 4 0 R ${each} >>`),
    ],
    `/AcroForm << /Fields [${fields}] >>`,
  );
}

/** The first objects of a PDF with one page, the fourth object. */
const HELVETICA_PAGES = [
  "<< /Type /Catalog /Pages 2 0 R >>",
  "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
  "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
];

/** A PDF with one line of text on each page. @param trailer what else its trailer says, such as `/Encrypt 3 0 R` */
export function pdfDocument(pages: readonly string[], trailer = ""): Buffer {
  const objects: string[] = [];
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  objects.push("<< /Type /Catalog /Pages 2 0 R >>", `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  objects.push("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  for (const [index, text] of pages.entries()) {
    const stream = text === "" ? "" : `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    );
  }
  return pdfOf(objects, "", trailer);
}

/** A PDF of these objects. @param catalogue what else the catalogue says */
function pdfOf([root = "", ...others]: readonly string[], catalogue = "", trailer = ""): Buffer {
  const objects = [root.replace(">>", `${catalogue} >>`), ...others];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  const start = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, "latin1");
}

/** Encrypts a PDF with an unknown password. */
export const ENCRYPTED = `/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]
  /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${"41".repeat(32)}> /U <${"42".repeat(32)}> >>`;
