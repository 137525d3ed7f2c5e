/**
 * A PDF of empty pages, written by hand: `catalog` is put into its dictionary, `more` are further objects,
 * numbered from 4. `isFound` false: its end points nowhere, so that only a reader that mends files finds its
 * objects.
 */
export function handmadePdf({
  pages = 1,
  catalog = '',
  more = [],
  isFound = true,
}: { pages?: number; catalog?: string; more?: string[]; isFound?: boolean } = {}): Buffer {
  const objects = [
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    `<</Type/Pages/Count ${pages}/Kids[${Array.from({ length: pages }, () => '3 0 R').join(' ')}]>>`,
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<<>>>>',
    ...more,
  ]
  let text = '%PDF-1.7\n'
  const offsets = objects.map((body, i) => {
    const at = text.length
    text += `${i + 1} 0 obj\n${body}\nendobj\n`
    return at
  })
  const lines = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  text += `xref\n0 ${size}\n0000000000 65535 f \n${lines}`
  const start = isFound ? text.indexOf(`xref\n0 ${size}`) : 5
  return Buffer.from(`${text}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`, 'latin1')
}

/** A PDF of one line of text a page, long enough to be taken for text. */
export function pdfOfPages(texts: string[]): Buffer {
  const filler = 'Northwind Office Supplies Ltd  14 Harbor Road Haifa  goods as ordered'
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${texts.length}/Kids[${texts.map((_, i) => `${4 + i * 2} 0 R`).join(' ')}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  for (const [i, text] of texts.entries()) {
    const stream = `BT /F1 14 Tf 60 700 Td (${text}) Tj 0 -40 Td (${filler}) Tj ET`
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents ${5 + i * 2} 0 R>>`,
      `<</Length ${stream.length}>>stream\n${stream}\nendstream`,
    )
  }
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const at = body.length
    body += `${i + 1} 0 obj${object}endobj\n`
    return at
  })
  const start = body.length
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((o) => `${String(o).padStart(10, '0')} 00000 n \n`).join('')}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF`
  return Buffer.from(body, 'latin1')
}
