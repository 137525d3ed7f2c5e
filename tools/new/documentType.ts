import { documentTypeNames, documentTypes } from '#domain/documents/kinds.ts'
import { isThere, Refusal, type Template } from './plan.ts'

/** A document type that the product knows by its number and cannot make yet. */
export const documentType: Template = {
  usage: `document-type <${documentTypeNames.join('|')}> --new="New price quote"`,
  asks: { new: 'What does the button for a new one say' },
  make: ({ name }) => {
    const file = `src/features/sales/documents/types/${name}.ts`
    if (!(name in documentTypes))
      throw new Refusal(
        `${name} is no document type; known: ${documentTypeNames.join(', ')}. A new one begins in src/domain/documents/kinds.ts`,
      )
    if (isThere(file)) throw new Refusal(`${file} is there already`)
    const facts = documentTypes[name as keyof typeof documentTypes]
    return {
      files: {
        [file]: `import { defineDocumentType } from '#kit/describe/documentType.ts'

/** Moves no money and stands in no book until \`debt\` and \`posts\` say so. */
export const ${name} = defineDocumentType({
  name: '${name}',
  series: '${name}',
  parts: ['customer', 'dates', 'lines', 'discount', 'notes'],
  debt: 0,
  mayNeedAllocation: false,
  follows: [],
})
`,
      },
      texts: { [`documents.newType.${name}`]: 'new' },
      steps: [
        `src/features/sales/documents/types/index.ts: import { ${name} } from './${name}.ts' and put it into the list`,
        `${file}: which parts its editor shows, what it may follow, what cancels it`,
        ...(facts.isTaxDocument
          ? [`src/domain/ledger/posting.ts: a pure function with its tests for the entry it makes; name it as posts, and set debt`]
          : []),
        `src/features/sales/documents/web/screens.ts: registerNew({ key: '${name}', word: 'documents.newType.${name}', icon: FileText, href: '/invoice/InvoiceDocument?type=${facts.id}', rule: 'documents.draft', documentType: ${facts.id}, order: ${facts.id * 10} })`,
        `the reports that count documents name their types: src/features/sales/documents/server/list/reports, src/features/tax/vat/server/reports`,
        `tests/books: a story that has one`,
      ],
    }
  },
}
