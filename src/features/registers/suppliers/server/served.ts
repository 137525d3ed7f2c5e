import { sql } from 'kysely'
import { EXPIRING_DAYS } from '#domain/withholding/rate.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import type { ServedResource } from '#kit/server/described/resources.ts'
import { todayThere } from '#kit/server/data/todayThere.ts'
import {
  bankOf,
  groupOfRow,
  saidTerms,
  sameAccount,
  settledBank,
  settledTerms,
} from '#features/registers/parties/server/index.ts'
import { bankFields, suppliers, type Supplier } from '../suppliers.ts'

/**
 * The supplier's balance in the books, with the sign reversed: what we owe the supplier, negative when the supplier
 * owes us. What is posted to a merged record is included.
 */
const balance = sql`coalesce((select sum(m.credit_agorot - m.debit_agorot) from party_months m
  where m.company_id = t.company_id and m.party_id = any(${groupOfRow})), 0)::bigint`

/** A column of the certificate that speaks today; the domain's `certificateOn` says the same for any day. */
const ofCertificate = (what: ReturnType<typeof sql>) => sql`(select ${what} from withholding_certificates c
  where c.company_id = t.company_id and c.party_id = t.id and c.archived_at is null
    and ${todayThere} between c.from_day and c.to_day
  order by c.from_day desc, c.created_at desc, c.id desc limit 1)`
const booksHold = sql`(c.books_valid and coalesce(c.books_to_day, c.to_day) >= ${todayThere})`
const lastDay = sql`least(c.to_day, coalesce(c.books_to_day, c.to_day))`

/**
 * The supplier's bills that are in the books and not fully paid; those of a merged record are shown with the
 * remaining one.
 */
const openBills = sql`t.merged_into is null and e.company_id = t.company_id
    and e.supplier_id = any(${groupOfRow}) and e.open_agorot <> 0`

/** The register of suppliers as its calls serve it. */
export const served: ServedResource = {
  marks: 'suppliers',
  resource: suppliers,
  // Where and when a supplier is paid, and the tax withheld, are for a person.
  forDrafts: {
    create: { except: [...bankFields, 'dueTerms', 'withholdingKind', 'incomeTaxFile', 'isPaResident'] },
  },
  compute: {
    balanceAgorot: balance,
    withholdingBp: ofCertificate(sql`case when ${booksHold} then c.rate_bp end`),
    withholdingTo: ofCertificate(sql`case when ${booksHold} and c.rate_bp is not null then ${lastDay} end`),
    withholdingState: sql`coalesce(${ofCertificate(sql`case when not ${booksHold} then 'booksNotApproved'
        when c.rate_bp is null then 'none'
      when ${lastDay} <= ${todayThere} + ${sql.lit(EXPIRING_DAYS)} then 'expiring' else 'valid' end`)},
      'none')`,
    overdueAgorot: sql`coalesce((select sum(e.open_agorot) from expenses e
      where ${openBills} and e.due_day < ${todayThere}), 0)::bigint`,
    dueDay: sql`(select min(e.due_day) from expenses e where ${openBills} and e.open_agorot > 0)`,
  },
  refNames: {
    expenseTypeId: sql`(select coalesce(y.name, y.key) from expense_types y where y.company_id = t.company_id
        and y.id = t.expense_type_id)`,
    mergedIntoId: sql`(select x.name from parties x where x.company_id = t.company_id
        and x.id = t.merged_into)`,
  },
  extra: {
    mergedIds: sql`array(select g.id from parties g where g.company_id = t.company_id
        and g.merged_into = t.id)`,
    bankChangedBy: sql`(select u.full_name from users u where u.id = t.bank_changed_by)`,
  },
  beforeSave: async (_ctx, given, before) => {
    const values = { ...given }
    if (values.dueTerms) values.dueTerms = settledTerms(values.dueTerms)
    if (values.incomeTaxFile && !/^\d{9}$/.test(String(values.incomeTaxFile)))
      throw failField('incomeTaxFile', 'fields.incomeTaxFile')
    const details = settledBank(values, before)
    if (details && before && knowsBank(before as Partial<Supplier>) && !sameAccount(bankOf(before), details))
      throw failField('bankAccount', 'fields.bankOwnStep')
    Object.assign(values, details)
    return values
  },
  inFiles: { dueTerms: saidTerms },
  beforeMove: (_ctx, row, to) =>
    to === 'restore' && row.mergedIntoId ? Promise.reject(fail('suppliers.merged')) : Promise.resolve(),
}

/**
 * Whether the supplier has, or ever had, a bank account: removing an account and entering another is a change.
 */
export const knowsBank = (supplier: Partial<Supplier>): boolean =>
  Boolean(supplier.bankAccount || supplier.iban || supplier.bankChangedAt)
