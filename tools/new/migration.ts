import { nextMigration, type Template } from './plan.ts'

/** The next numbered file of SQL. */
export const migration: Template = {
  usage: 'migration <name> --why="Limits lived in free-text notes."',
  asks: { why: 'Why is it needed, in one sentence' },
  make: ({ name, words }) => {
    const file = nextMigration(name)
    return {
      files: {
        [file]: `-- ${words.why}
--
-- Forward only: what has run anywhere is never edited. A table of a business has company_id first in its key and calls secure_table().
-- A migration that moves data counts before and after, and raises an exception when the counts differ.
`,
      },
      texts: {},
      steps: [
        `${file}: write the SQL`,
        'npm run tables, and commit db/tables.ts with it',
        'a new table of a business: put it into companyTables of src/features/office/demo/server/discard.ts',
      ],
    }
  },
}
