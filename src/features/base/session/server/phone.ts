import { sql, type RawBuilder } from 'kysely'

/** `phoneKey` of src/domain/phone.ts of a column: however a person wrote his phone, he is found by it. */
export const keyOfPhone = (column: string): RawBuilder<string> =>
  sql<string>`regexp_replace(regexp_replace(${sql.ref(column)}, '\\D', '', 'g'), '^(00)?9720?', '0')`
