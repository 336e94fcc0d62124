/** Text at a position on a page, in points from the left and from the bottom. */
export interface PdfPiece {
  text: string;
  x: number;
  y: number;
  size?: number;
  font?: keyof typeof fonts;
}

/** An element of the structure; `kids` are elements, or pieces of its page by their index. */
export interface PdfTag {
  role: string;
  page?: number;
  kids: (PdfTag | number)[];
}

export interface PdfParts {
  pages: PdfPiece[][];
  title?: string;
  language?: string;
  /** Page numbers, from 1, that contain only a picture. */
  scans?: number[];
  outline?: { title: string; page: number }[];
  tags?: PdfTag[];
  /** What the file calls its bold font. */
  boldFont?: string;
  /** The italic font and the objects that it needs, to which `{1}`, `{2}` and so on refer. */
  italic?: string[];
}

const scan = 'q 612 0 0 792 0 0 cm BI /W 2 /H 2 /BPC 8 /CS /G ID abcd EI Q';
const fonts = { text: 'F1', bold: 'F2', mono: 'F3', italic: 'F4' };

/** Creates a small, valid PDF with text at the given positions. */
export function makePdf({
  pages,
  title,
  language,
  scans = [],
  outline = [],
  tags = [],
  boldFont = 'Helvetica-Bold',
  italic = [],
}: PdfParts): Buffer {
  const objects: string[] = [];
  const add = (body: string) => objects.push(body);
  const pageObject = (index: number) => 8 + index * 2;
  const outlineObject = 8 + pages.length * 2;
  const kids = pages.map((_, index) => `${pageObject(index)} 0 R`).join(' ');
  const lang = language === undefined ? '' : `/Lang (${language})`;
  const outlines = outline.length === 0 ? '' : `/Outlines ${outlineObject} 0 R`;
  add(`<< /Type /Catalog /Pages 2 0 R ${lang} ${outlines} >>`);
  add(`<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`);
  for (const name of ['Helvetica', boldFont, 'Courier', 'Helvetica-Oblique'])
    add(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} >>`);
  add(`<< ${title === undefined ? '' : `/Title (${escaped(title)})`} >>`);
  for (const [index, pieces] of pages.entries()) {
    const marked = (piece: PdfPiece, at: number) => `/Span <</MCID ${at}>> BDC ${draw(piece)} EMC`;
    const stream = scans.includes(index + 1) ? scan : pieces.map(tags.length > 0 ? marked : draw).join('\n');
    const resources = '<< /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R /F4 6 0 R >> >>';
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /StructParents ${index + 1} /Resources ${resources} /Contents ${pageObject(index) + 1} 0 R >>`,
    );
    add(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
  }
  if (outline.length > 0) {
    const first = outlineObject + 1;
    add(`<< /Type /Outlines /First ${first} 0 R /Last ${first + outline.length - 1} 0 R /Count ${outline.length} >>`);
    for (const [index, entry] of outline.entries()) {
      const next = index + 1 < outline.length ? `/Next ${first + index + 1} 0 R` : '';
      const dest = `/Dest [${pageObject(entry.page - 1)} 0 R /Fit]`;
      add(`<< /Title (${escaped(entry.title)}) /Parent ${outlineObject} 0 R ${next} ${dest} >>`);
    }
  }
  if (tags.length > 0) {
    const structure = addStructure(objects, tags, (page) => `${pageObject(page - 1)} 0 R`);
    objects[0] = objects[0]?.replace('>>', `/MarkInfo << /Marked true >> /StructTreeRoot ${structure} 0 R >>`) ?? '';
  }
  const needed = objects.length;
  const linked = italic.map((body) => body.replace(/\{(\d)\}/g, (_, at: string) => `${needed + Number(at)} 0 R`));
  if (linked[0] !== undefined) objects[5] = linked[0];
  return assemble([...objects, ...linked.slice(1)]);
}

function addStructure(objects: string[], tags: readonly PdfTag[], referenceOf: (page: number) => string): number {
  const root = objects.push('');
  const holders = new Map<number, string[]>();
  const add = ({ role, page = 1, kids }: PdfTag, parent: number): string => {
    const own = objects.push('');
    const held = kids.map((kid) => (typeof kid === 'number' ? kid : add(kid, own)));
    if (kids.some((kid) => typeof kid === 'number')) holders.set(page, [...(holders.get(page) ?? []), `${own} 0 R`]);
    const about = `/S /${role} /P ${parent} 0 R /Pg ${referenceOf(page)}`;
    objects[own - 1] = `<< /Type /StructElem ${about} /K [${held.join(' ')}] >>`;
    return `${own} 0 R`;
  };
  const kids = tags.map((tag) => add(tag, root)).join(' ');
  const parents = [...holders].map(([page, elements]) => `${page} [${elements.join(' ')}]`).join(' ');
  objects[root - 1] = `<< /Type /StructTreeRoot /K [${kids}] /ParentTree << /Nums [${parents}] >> >>`;
  return root;
}

/** Lines of text from the top of a page down, as `makePdf` takes them. */
export function textLines(lines: string[], piece: Partial<PdfPiece> = {}): PdfPiece[] {
  const { x = 72, y = 700, size = 10 } = piece;
  return lines.map((text, index) => ({ ...piece, text, x, size, y: y - index * size * 1.2 }));
}

function draw({ text, x, y, size = 10, font = 'text' }: PdfPiece): string {
  return `BT /${fonts[font]} ${size} Tf ${x} ${y} Td (${escaped(text)}) Tj ET`;
}

function escaped(text: string): string {
  return text.replace(/[\\()]/g, '\\$&');
}

function assemble(objects: string[]): Buffer {
  let file = '%PDF-1.4\n';
  const offsets: number[] = [];
  for (const [index, body] of objects.entries()) {
    offsets.push(file.length);
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
  }
  const start = file.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 7 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}
