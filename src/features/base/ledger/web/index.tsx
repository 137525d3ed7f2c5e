/** What other features show of the books. */
export { EntryTable } from './EntryTable.tsx'
