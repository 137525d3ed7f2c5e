import { wings } from '#kit/describe/wings.ts'
import { Refusal, type Edit } from './plan.ts'

const notFound = (path: string, place: string): Refusal => new Refusal(`${path}: ${place} was not found; nothing is written`)

/** Puts `more` behind the last match of a pattern. */
function after(text: string, pattern: RegExp, more: string, missing: () => Refusal): string {
  const last = [...text.matchAll(pattern)].at(-1)
  if (!last) throw missing()
  const end = last.index + last[0].length
  return text.slice(0, end) + more + text.slice(end)
}

const imports = /^import [^\n]*\n|^import \{\n(?: {2}[^\n]*\n)+\} from [^\n]*\n/gm

/** Adds an import that is not there yet, behind the others. */
const importing = (path: string, text: string, line: string): string =>
  text.includes(line) ? text : after(text, imports, `${line}\n`, () => notFound(path, 'an import'))

/** Makes a feature known to the server: its door, and its name at the end of its wing. */
export const listFeature = (feature: string, folder: string): Edit => {
  const path = 'src/features.ts'
  const wing = folder.split('/')[2]!
  return {
    path,
    change: (text) => {
      const here = wings.findIndex((one) => one === wing)
      const doors = [...text.matchAll(/^import \* as \w+ from '#features\/(\w+)\/[^\n]*\n/gm)]
      const before = doors.findLast(([, of]) => wings.findIndex((one) => one === of) <= here) ?? doors[0]
      if (!before) throw notFound(path, 'the door of a feature')
      const end = before.index + before[0].length
      const listed = `${text.slice(0, end)}import * as ${feature} from '${folder.replace('src/', '#')}/server/index.ts'\n${text.slice(end)}`
      const start = listed.indexOf(`  ...wing('${wing}', {\n`)
      if (start < 0) throw notFound(path, `the wing ${wing}`)
      const at = listed.indexOf('\n  }),', start)
      return `${listed.slice(0, at)}\n    ${feature},${listed.slice(at)}`
    },
  }
}

/** A demo business takes the rows of the new table with it. They point to the business alone, so any place is right. */
export const takeWithDemo = (table: string): Edit => ({
  path: 'src/features/office/demo/server/discard.ts',
  change: (text) =>
    after(text, /export const companyTables = \[\n/g, `  '${table}',\n`, () =>
      notFound('src/features/office/demo/server/discard.ts', 'companyTables'),
    ),
})

/** A second resource in the server's door of a feature. */
export const serveToo = (path: string, name: string): Edit => ({
  path,
  change: (text) => {
    const one = /^(export const implementations(?:: [^=]+)? = )(serveResource\([^\n]*\))$/m
    const served = `...serveResource({ resource: ${name} })`
    const changed = one.test(text)
      ? text.replace(one, (_, begin: string, first: string) => `${begin}[...${first}, ${served}]`)
      : after(text, /^export const implementations(?:: [^=]+)? = \[\n/gm, `  ${served},\n`, () =>
          notFound(path, 'the list of implementations'),
        )
    const withKit = text.includes('serveResource')
      ? changed
      : importing(path, changed, "import { serveResource } from '#kit/server/resources.ts'")
    return importing(path, withKit, `import { ${name} } from '../${name}.ts'`)
  },
})

/** Screens at the end of a feature's list; `announces` a resource whose records other screens may name. */
export const showToo = (path: string, entries: string, announces?: string): Edit => ({
  path,
  change: (text) => {
    const list = /^export const screens: Screen\[\] = \[\n[\s\S]*?^\]$/m.exec(text)
    if (!list) throw notFound(path, 'the list of screens')
    const end = list.index + list[0].length - 1
    const shown = `${text.slice(0, end)}${entries}\n${text.slice(end)}`
    if (!announces) return shown
    const known = importing(path, shown, `import { ${announces} } from '../${announces}.ts'`)
    const kit = known.includes('announce') ? known : importing(path, known, "import { announce } from '#kit/web/screens/resources.ts'")
    return after(kit, imports, `\nannounce(${announces})\n`, () => notFound(path, 'an import'))
  },
})

/** A report in the server's door of a feature. */
export const reportToo = (path: string, name: string): Edit => ({
  path,
  change: (text) => {
    const one = /^export const reports(?:: [^=]+)? = \[([^\]]*)\]$/m
    const listed = one.test(text)
      ? text.replace(one, (whole, inside: string) =>
          whole.replace(`[${inside}]`, `[${inside.trim() ? `${inside.trim().replace(/,$/, '')}, ` : ''}${name}]`),
        )
      : `${text.trimEnd()}\n\nexport const reports = [${name}]\n`
    return importing(path, listed, `import { ${name} } from './reports/${name}.ts'`)
  },
})
