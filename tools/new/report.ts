import { columnsOf, type Column } from './columns.ts'
import { reportToo, showToo } from './edits.ts'
import { isThere, Refusal, refuseTwins, type Template } from './plan.ts'

const allow: Record<string, string> = {
  sales: 'reports.sales',
  people: 'reports.debts',
  books: 'reports.accounting',
  tax: 'reports.tax',
  stock: 'reports.sales',
}

/** A report over a period: one server file; screen, print, PDF, CSV and XLSX follow from it. */
export const report: Template = {
  usage:
    'report <feature>/<name> --title="Balances" --text="What every account stands at." --group=books --columns="account:text:Account,balanceAgorot:money:Balance"',
  asks: {
    title: 'What is it called',
    text: 'What does it tell, in one sentence',
    group: `Where does it stand (${Object.keys(allow).join(', ')})`,
    columns: 'Columns as name:kind:Words',
  },
  make: ({ name, feature, folder, words }) => {
    const file = `${folder}/server/reports/${name}.ts`
    if (!isThere(`${folder}/server/index.ts`))
      throw new Refusal(`there is no feature ${feature}; npm run new feature <wing>/${feature} makes one`)
    if (isThere(file)) throw new Refusal(`${file} is there already`)
    if (!allow[words.group!])
      throw new Refusal(`a report stands in one of ${Object.keys(allow).join(', ')}, not in ${words.group}`)
    refuseTwins('name', name)
    const columns = columnsOf(words.columns!)
    const key = `${feature}.reports.${name}`
    return {
      files: { [file]: fileOf(feature, name, words.group!, columns) },
      texts: {
        [`${key}.title`]: 'title',
        [`${key}.text`]: 'text',
        [`${key}.filters.from`]: '"From date"',
        [`${key}.filters.to`]: '"To date"',
        [`screens.${name}`]: 'title',
        ...Object.fromEntries(columns.map((c) => [`${key}.columns.${c.name}`, `"${c.words}"`])),
        ...Object.fromEntries(
          columns.flatMap((c) =>
            c.choices.map((choice) => [`${key}.${c.name}.${choice.name}`, `"${choice.words}"`]),
          ),
        ),
      },
      edits: [
        reportToo(`${folder}/server/index.ts`, name),
        showToo(
          `${folder}/web/screens.ts`,
          `  { name: '${name}', path: '/invoice/report${name.toLowerCase()}', open: 'login', rule: '${allow[words.group!]}', feature: '${feature}', load: () => import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({ Screen: reportScreen('${name}') })) },`,
        ),
      ],
      steps: [
        `${file}: write the rows, and under must what has to hold of them (with its words at ${key}.checks.<name>)`,
        `a story in tests/books or a test beside the feature that says what the rows must be`,
      ],
    }
  },
}

function fileOf(feature: string, name: string, group: string, columns: Column[]): string {
  const kinds = [...new Set([...columns.map((c) => c.kind), 'day'])].sort()
  const types: Record<string, string> = {
    money: 'bigint',
    percent: 'int',
    number: 'int',
    price: 'numeric',
    quantity: 'numeric',
    day: 'date',
    moment: 'timestamptz',
    flag: 'boolean',
  }
  const shape = ({ name: column, kind, choices }: Column) =>
    `${column}: ${kind}(${choices.length ? `[${choices.map((c) => `'${c.name}'`).join(', ')}]` : ''})`
  return `import { sql } from 'kysely'
import type { ReportRow } from '#kit/describe/report.ts'
import { ${kinds.join(', ')} } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'

export const ${name} = defineReport({
  name: '${name}',
  feature: '${feature}',
  group: '${group}',
  path: '/invoice/report${name.toLowerCase()}',
  allow: '${allow[group]}',
  filters: { from: day({ need: true }), to: day({ need: true }) },
  columns: { ${columns.map(shape).join(', ')} },
  totals: [${columns
    .filter((c) => c.kind === 'money')
    .map((c) => `'${c.name}'`)
    .join(', ')}],
  rows: async (ctx, { from, to }) => {
    // One statement that names the business first; a column \`open\` with a path makes the row open
    // something.
    const { rows } = await sql<ReportRow>\`
      select ${columns.map((c) => `null::${types[c.kind] ?? 'text'} as "${c.name}"`).join(', ')}
      from documents d where d.company_id = \${ctx.companyId} and d.day between \${from} and \${to} limit 0\`.execute(ctx.tx)
    return rows
  },
})
`
}
