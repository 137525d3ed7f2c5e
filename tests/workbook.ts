import { strToU8, zipSync } from 'fflate'

const head = '<?xml version="1.0" encoding="UTF-8"?>'

/**
 * A workbook as spreadsheets write them: rows of XML by sheet, and the texts that cells refer to by number.
 */
export function workbook(
  sheets: Record<string, readonly string[]>,
  shared: readonly string[] = [],
): Uint8Array {
  const all = Object.entries(sheets)
  const files: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<workbook><sheets>${all.map(([name], i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${all.map((_, i) => `<Relationship Id="rId${i + 1}" Type="x" Target="worksheets/sheet${i + 1}.xml"/>`).join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst>${shared.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
  }
  for (const [i, [, rows]] of all.entries())
    files[`xl/worksheets/sheet${i + 1}.xml`] =
      `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(head + text)])),
  )
}

/** Rows of cells, text and figures as Excel keeps them; a row left out is an empty one. */
export const sheetOf = (rows: readonly (readonly (string | number)[])[]): string[] =>
  rows.map((cells, i) => {
    const inside = cells.map((value, column) => {
      const place = `${String.fromCodePoint(65 + column)}${i + 1}`
      if (typeof value === 'number') return `<c r="${place}"><v>${value}</v></c>`
      return value === '' ? '' : `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`
    })
    return `<row r="${i + 1}">${inside.join('')}</row>`
  })
