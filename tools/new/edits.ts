import { wings } from '#kit/describe/wings.ts'
import { Refusal, type Edit } from './plan.ts'

const notFound = (path: string, place: string): Refusal =>
  new Refusal(`${path}: ${place} was not found; nothing is written`)

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

/**
 * A demo business takes the rows of the new table with it. They point to the business alone, so any place is
 * right.
 */
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
      : importing(path, changed, "import { serveResource } from '#kit/server/described/resources.ts'")
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
    const kit = known.includes('announce')
      ? known
      : importing(path, known, "import { announce } from '#kit/web/screens/resources.ts'")
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
          whole.replace(
            `[${inside}]`,
            `[${inside.trim() ? `${inside.trim().replace(/,$/, '')}, ` : ''}${name}]`,
          ),
        )
      : `${text.trimEnd()}\n\nexport const reports = [${name}]\n`
    return importing(path, listed, `import { ${name} } from './reports/${name}.ts'`)
  },
})

const kinds = 'src/domain/documents/kinds.ts'

/** A document type with its number: its facts, and its line among the described types. */
export const listType = (name: string, id: number): Edit[] => [
  {
    path: kinds,
    change: (text) => {
      const end = /^\} as const satisfies Record<string, DocumentTypeFacts>$/m.exec(text)
      if (!end) throw notFound(kinds, 'the end of documentTypes')
      const facts = `  ${name}: { id: ${id}, uniformCode: undefined, side: 'sales', isTaxDocument: false },\n`
      return text.slice(0, end.index) + facts + text.slice(end.index)
    },
  },
  {
    path: 'src/features/sales/documents/types/index.ts',
    change: (text) => {
      const path = 'src/features/sales/documents/types/index.ts'
      const end = /^\} satisfies Record<DocumentTypeName, DocumentType>$/m.exec(text)
      if (!end) throw notFound(path, 'the described types')
      return importing(
        path,
        `${text.slice(0, end.index)}  ${name},\n${text.slice(end.index)}`,
        `import { ${name} } from './${name}.ts'`,
      )
    },
  },
]

/** A state of documents: its line in the list, and what the tests of the facts say of it. */
export function listState(state: {
  name: string
  id: number
  stage: string
  /** The state it is counted like, behind which it is listed. */
  model: string
  becomes: readonly string[]
  /** Conditions in SQL, as they are and as they become. */
  changed: readonly (readonly [before: string, after: string])[]
  isLike: Readonly<Record<string, boolean>>
}): Edit[] {
  const texts = 'src/kit/server/data/documentFacts.test.ts'
  const table = 'src/domain/documents/facts.test.ts'
  const { name, id, stage, model } = state
  return [
    {
      path: kinds,
      change: (text) => {
        const start = text.indexOf('export const documentStates = {')
        const line = new RegExp(`^  ${model}: \\{[\\s\\S]*?\\},$`, 'm').exec(text.slice(start))
        if (start < 0 || !line) throw notFound(kinds, `the state ${model}`)
        const end = start + line.index + line[0].length
        const becomes = state.becomes.map((one) => `'${one}'`).join(', ')
        return `${text.slice(0, end)}\n  ${name}: { id: ${id}, stage: '${stage}', becomes: [${becomes}] },${text.slice(end)}`
      },
    },
    {
      path: texts,
      change: (text) =>
        state.changed.reduce((now, [before, after]) => {
          if (!now.includes(`"d.${before}"`)) throw notFound(texts, before)
          return now.replaceAll(`"d.${before}"`, `"d.${after}"`)
        }, text),
    },
    {
      path: table,
      change: (text) => {
        const facts = Object.keys(state.isLike).filter((fact) => state.isLike[fact])
        return after(
          text,
          new RegExp(`^  ${model}: \\[[^\\]]*\\],\\n`, 'gm'),
          `  ${name}: [${facts.map((fact) => `'${fact}'`).join(', ')}],\n`,
          () => notFound(table, `the state ${model}`),
        )
      },
    },
  ]
}
