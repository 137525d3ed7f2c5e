import { documentTypeNames, documentTypes } from '#domain/documents/kinds.ts'
import { listType } from './edits.ts'
import { isThere, nextMigration, Refusal, type Template } from './plan.ts'

/**
 * A document type: its facts in the domain, its description, the check of the database, and its words. It moves no
 * money and is not posted until its facts and its `posts` say so.
 */
export const documentType: Template = {
  usage: 'documentType <name> --one="Proforma" --many="Proformas" --new="New proforma"',
  asks: {
    one: 'What is one of them called, on screens and on paper',
    many: 'What are many of them called',
    new: 'What does the button for a new one say',
  },
  make: ({ name, words }) => {
    const file = `src/features/sales/documents/types/${name}.ts`
    if (name in documentTypes || isThere(file)) throw new Refusal(`${name} is a document type already`)
    const id = Math.max(...documentTypeNames.map((one) => documentTypes[one].id)) + 1
    const migration = nextMigration(`type-${name}`)
    return {
      files: {
        [file]: `import { defineDocumentType } from '#kit/describe/documentType.ts'

/** ${words.one}: moves no money and is in no book. */
export const ${name} = defineDocumentType({
  name: '${name}',
  series: '${name}',
  parts: ['customer', 'dates', 'lines', 'discount', 'notes'],
  mayNeedAllocation: false,
  follows: [],
})
`,
        [migration]: `-- Documents of the type ${name} may be stored.
alter table documents
  drop constraint documents_type_check,
  add constraint documents_type_check check (type between 1 and ${id});
`,
      },
      edits: listType(name, id),
      texts: {
        [`documents.types.${name}`]: 'one',
        [`documents.typesPlural.${name}`]: 'many',
        [`documents.newType.${name}`]: 'new',
        // Until somebody translates its name: what its verbs agree with.
        [`documents.gender.${name}`]: { he: 'm', ar: 'm', en: 'n', ru: 'm', fr: 'm' },
        [`paper.title.${name}`]: 'one',
      },
      tables: true,
      steps: [
        `src/domain/documents/kinds.ts: the facts of ${name} (VAT, money, debt, goods, …); facts.test.ts says which sets it joins`,
        `${file}: which parts its editor shows, what it may follow, what cancels it`,
        `if it moves money: src/domain/ledger/posting.ts, a pure function with its tests for the entry it makes; name it as posts`,
        `if lines of other documents lead to it: src/domain/documents/following.ts and used_by in a migration`,
        `tests/books: a story that has one`,
      ],
    }
  },
}
