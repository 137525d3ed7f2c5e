import { deflateRawSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { sheetOf as rowsOf, workbook } from '../workbook.ts'

/**
 * Files made to harm the person who reads them, by what they are. None is larger than the smallest door that is
 * asked for it.
 */
const bytesOf = (text: string): Buffer => Buffer.from(text)

/** A workbook whose only sheet holds this XML. */
function sheetOf(xml: string): Buffer {
  const part = (text: string) => new Uint8Array(Buffer.from(text))
  return Buffer.from(
    zipSync({
      '[Content_Types].xml': part('<Types/>'),
      'xl/workbook.xml': part(
        '<workbook><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>',
      ),
      'xl/_rels/workbook.xml.rels': part(
        '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
      ),
      'xl/worksheets/sheet1.xml': part(xml),
    }),
  )
}

/** A PNG that claims to be a very large picture. */
function hugePicture(): Buffer {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const size = Buffer.alloc(8)
  size.writeUInt32BE(30_000, 0)
  size.writeUInt32BE(30_000, 4)
  return Buffer.concat([head, size, Buffer.alloc(1000)])
}

const uniformLine = (n: number) => `B100${String(n).padStart(9, '0')}${'9'.repeat(300)}\r\n`

export const hostileFiles: Record<string, () => Buffer> = {
  'opening brackets': () => bytesOf('['.repeat(400_000)),
  'round brackets and stars': () => bytesOf('(*'.repeat(200_000)),
  quotes: () => bytesOf('"'.repeat(400_001)),
  'quotes that never close': () => bytesOf(`name,city\n${'"a,'.repeat(130_000)}`),
  'doubled quotes': () => bytesOf(`name\n"${'""'.repeat(200_000)}\n`),
  blanks: () => bytesOf(`name${' '.repeat(400_000)}x`),
  'blanks and tabs in turn': () => bytesOf(`a${' \t'.repeat(200_000)}b`),
  'ends of lines': () => bytesOf('\n'.repeat(400_000)),
  'carriage returns': () => bytesOf('a\r'.repeat(200_000)),
  commas: () => bytesOf(','.repeat(400_000)),
  'a wide head': () => bytesOf(`${'name;'.repeat(60_000)}\n1`),
  'one long word': () => bytesOf(`name\n${'א'.repeat(180_000)}`),
  digits: () => bytesOf(`תאריך,סכום\n${'1'.repeat(300_000)},${'2'.repeat(90_000)}`),
  'dots and digits': () => bytesOf('1.2.'.repeat(100_000)),
  'many short rows': () => bytesOf(`name\n${'x\n'.repeat(40_000)}`),
  'days by the thousand': () => bytesOf(`date,USD\n${'2026-01-01,3.5\n'.repeat(25_000)}`),
  'angle brackets': () => bytesOf('<'.repeat(400_000)),
  'open tags': () => bytesOf(`<html>${'<td>'.repeat(99_000)}`),
  'nested tables': () => bytesOf(`<html><body>${'<table><tr><td>'.repeat(26_000)}`),
  'comments that never end': () => bytesOf(`<html><table>${'<!--'.repeat(99_000)}`),
  'deep XML': () => bytesOf(`<?xml version="1.0"?>${'<a>'.repeat(130_000)}`),
  'XML with a long attribute': () =>
    bytesOf(`<?xml version="1.0"?><Invoice ${'a="1" '.repeat(65_000)}></Invoice>`),
  'XML that grows': () =>
    bytesOf(
      `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 20 }, (_, i) => `<!ENTITY a${i} "${`&a${i ? i - 1 : ''};`.repeat(10)}">`).join('')}]><Invoice>&a19;</Invoice>`,
    ),
  'OFX that never closes': () => bytesOf(`OFXHEADER:100\n\n<OFX>${'<STMTTRN><TRNAMT>1'.repeat(20_000)}`),
  'MT940 with one endless field': () =>
    bytesOf(`:20:x\n:25:1\n:28C:1\n:60F:C260101ILS0,\n:86:${'?20'.repeat(130_000)}`),
  'colons of MT940': () => bytesOf(`:20:x\n${':61:\n'.repeat(79_000)}`),
  'records of a uniform file': () => bytesOf(Array.from({ length: 1200 }, (_, n) => uniformLine(n)).join('')),
  'one endless record': () => bytesOf(`A100${'0'.repeat(399_000)}`),
  'records of a Masav file': () => bytesOf(`K${'0'.repeat(127)}\r\n`.repeat(3000)),
  'empty bytes': () => Buffer.alloc(400_000),
  'a calendar of rules': () =>
    bytesOf(
      `BEGIN:VCALENDAR\n${Array.from({ length: 4000 }, (_, n) => `BEGIN:VEVENT\nUID:${n}\nDTSTART:19700101T000000Z\nRRULE:FREQ=DAILY\nEND:VEVENT\n`).join('')}END:VCALENDAR`,
    ),
  'a calendar of one endless line': () =>
    bytesOf(`BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;${'X="a:b";'.repeat(40_000)}:1\n`),
  'a calendar of folded lines': () =>
    bytesOf(`BEGIN:VCALENDAR\nBEGIN:VEVENT\nEXDATE:${'\n 20310101T000000Z,'.repeat(20_000)}\n`),
  noise: () => Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919 + (i >> 3)) % 256)),
  'halves of UTF-16': () => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.alloc(300_000, 0xd8)]),
  'a workbook that unpacks to half a gigabyte': () => {
    const zero = Buffer.alloc(64 * 1024 * 1024, 0x20)
    const packed = deflateRawSync(zero, { level: 9 })
    return Buffer.concat([
      Buffer.from('504b0304', 'hex'),
      Buffer.alloc(26),
      packed.subarray(0, 60_000),
      Buffer.from('504b0506', 'hex'),
      Buffer.alloc(18),
    ])
  },
  'a sheet of open tags': () => sheetOf(`<worksheet><sheetData>${'<c>'.repeat(400_000)}`),
  'a sheet with an endless attribute': () =>
    sheetOf(`<worksheet><sheetData><row r="1"><c r="A1" t="${'a'.repeat(3_000_000)}`),
  'a sheet of quotes': () => sheetOf(`<worksheet><sheetData><row><c a="${'>'.repeat(400_000)}`),
  'a sheet with a far cell': () =>
    sheetOf(
      '<worksheet><sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>',
    ),
  'a cell of a megabyte': () => Buffer.from(workbook({ a: rowsOf([['name'], ['x'.repeat(1_000_000)]]) })),
  'a PDF without an end': () => bytesOf(`%PDF-1.4\n${'1 0 obj<</Kids['.repeat(1500)}`),
  'a PDF that points at itself': () =>
    bytesOf(
      '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[2 0 R]/Count 99999999>>endobj\ntrailer<</Root 1 0 R>>',
    ),
  'a very large picture': hugePicture,
  'a mail in a mail': () =>
    bytesOf(
      `From: a@b.c\nContent-Type: multipart/mixed; boundary=x\n\n${'--x\nContent-Type: multipart/mixed; boundary=x\n\n'.repeat(8000)}`,
    ),
}
