/**
 * What a sheet of this format holds at most, the longest name one may have, and the longest text of a cell.
 */
const mostRows = 1_048_576
const longestName = 31
const longestText = 32_767

export type SheetValue = string | number | boolean | null

export interface SheetFile {
  write: (text: string) => void
  end: () => void
}

const escaped = (text: string): string =>
  (text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text)
    // Signs that XML has no way to write: halves of a sign among them.
    .replace(/\p{Surrogate}|[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, '')
    .replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!)

/** 0 is A, 26 is AA. */
const letterOf = (at: number): string =>
  at < 26
    ? String.fromCharCode(65 + at)
    : letterOf(Math.floor(at / 26) - 1) + String.fromCharCode(65 + (at % 26))

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/**
 * A workbook (XLSX) of many long tables, written piece by piece into an archive: no table is ever whole in
 * memory, as the writer of one table (`writeTable`) has it. Texts stand in their cells, so nothing has to be
 * gathered for the end. `open` opens a file of the archive; sheets are written one after another, a table
 * longer than a sheet goes on in one more.
 */
export function workbook(open: (path: string) => SheetFile, { rightToLeft }: { rightToLeft: boolean }) {
  const names: string[] = []
  const nameOf = (wanted: string): string => {
    for (let n = 1; ; n++) {
      const more = n === 1 ? '' : ` ${n}`
      const name = `${wanted.slice(0, longestName - more.length)}${more}`
      if (!names.includes(name)) return name
    }
  }
  const cell = (value: SheetValue, at: string, style: string): string => {
    if (value === null || value === '') return ''
    if (typeof value === 'number') return `<c r="${at}"${style}><v>${value}</v></c>`
    if (typeof value === 'boolean') return `<c r="${at}"${style} t="b"><v>${value ? 1 : 0}</v></c>`
    return `<c r="${at}"${style} t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`
  }
  const row = (values: readonly SheetValue[], at: number, style = ''): string =>
    `<row r="${at}">${values.map((value, i) => cell(value, `${letterOf(i)}${at}`, style)).join('')}</row>`

  const sheet = (wanted: string, columns: readonly string[]) => {
    let file: SheetFile
    let at = 0
    const begin = () => {
      names.push(nameOf(wanted))
      file = open(`xl/worksheets/sheet${names.length}.xml`)
      file.write(
        `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"${rightToLeft ? ' rightToLeft="1"' : ''}><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><sheetData>${row(columns, 1, ' s="1"')}`,
      )
      at = 1
    }
    const end = () => {
      file.write('</sheetData></worksheet>')
      file.end()
    }
    begin()
    return {
      add: (rows: readonly (readonly SheetValue[])[]) => {
        let text = ''
        for (const values of rows) {
          if (at === mostRows) {
            file.write(text)
            text = ''
            end()
            begin()
          }
          text += row(values, ++at)
        }
        file.write(text)
      },
      end,
    }
  }

  const end = () => {
    const put = (path: string, text: string) => {
      const file = open(path)
      file.write(head + text)
      file.end()
    }
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
    // Parts are named from the top of the archive.
    const top = '/'
    const ids = names.map((_, i) => i + 1)
    put(
      'xl/workbook.xml',
      `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${names.map((name, i) => `<sheet name="${escaped(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
    )
    put(
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="${relations}">${ids.map((id) => `<Relationship Id="rId${id}" Type="${office}/worksheet" Target="worksheets/sheet${id}.xml"/>`).join('')}<Relationship Id="rId${ids.length + 1}" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    )
    put(
      'xl/styles.xml',
      `<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
    )
    put(
      '_rels/.rels',
      `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    )
    put(
      '[Content_Types].xml',
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="${top}xl/workbook.xml" ContentType="${type}.sheet.main+xml"/>${ids.map((id) => `<Override PartName="${top}xl/worksheets/sheet${id}.xml" ContentType="${type}.worksheet+xml"/>`).join('')}<Override PartName="${top}xl/styles.xml" ContentType="${type}.styles+xml"/></Types>`,
    )
  }
  return { sheet, end }
}
