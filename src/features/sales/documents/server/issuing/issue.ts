import { sql } from 'kysely'
import { isInside } from '#domain/day.ts'
import { formatMoney } from '#domain/format.ts'
import { accountOfMeans } from '#domain/ledger/means.ts'
import { paymentMeans, paymentMeansById, vatKinds } from '#domain/documents/kinds.ts'
import { systemAccounts } from '#domain/ledger/chart.ts'
import { postPaidOpening } from '#domain/ledger/opening.ts'
import { sum, timesFraction } from '#domain/money.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import { fail, Failure } from '#kit/describe/errors.ts'
import { canDocument } from '#kit/describe/session.ts'
import { databaseFailures, failureOf } from '#kit/server/contract/failures.ts'
import { byOf, newId, type Ctx } from '#kit/server/context.ts'
import { authorize, isPerson } from '#kit/server/rights/authority.ts'
import { refuseUnprintable } from '#kit/server/paper/printable.ts'
import { asks, doesNotAsk, isInvoice, isLive, isNotInvoice } from '#kit/server/data/documentFacts.ts'
import { companyOf, openVatPeriodOf } from '#features/base/companies/server/index.ts'
import { accountIds, entryForDatabase, type AccountIds } from '#features/base/ledger/server/index.ts'
import { isIncomeItself, isPurchase, typeId } from '../../types/index.ts'
import { allFollowers, consequenceOf } from './consequences.ts'
import { withForeign } from '#domain/bank/inCurrency.ts'
import { keptToInvoice } from './creditRest.ts'
import { allocationStateOf, columnsOf, linesOf, paymentsOf } from '../content/keep.ts'
import { leftOf, loadLines } from '../content/load.ts'
import { checkPayments, isTaxDocument, prepare } from '../content/prepare.ts'
import type { Given, Prepared } from '../content/shapes.ts'
import { refuseShut } from './shut.ts'

const atField = (path: string, code: string, params: Record<string, string | number> = {}) =>
  new Failure('kit.badInput', {}, [{ path, code, params }])

databaseFailures.PK001 = () => fail('documents.frozen')
databaseFailures.PK004 = (e) => atField('date', 'documents.dateBeforeLastOfSeries', { last: e.message })
databaseFailures.PK035 = (e) => atField('lines', 'documents.takesTooMuch', { line: e.message })
databaseFailures.PK036 = () => atField('lines', 'documents.creditsTooMuch')
databaseFailures.PK037 = (e) => atField('closes', 'documents.closesTooMuch', { number: e.message })
databaseFailures.PK038 = () => fail('documents.notSettled')
databaseFailures.PK039 = (e) => atField('handNumber', 'documents.handNumberTaken', { number: e.message })

const paperDelay = 20

export interface Issued {
  id: string
  number: number
}

/**
 * Where the money of a reversed receipt was: by the order of its payments, and which of these accounts hold its
 * currency.
 */
interface Undone {
  landedOn: readonly (string | null)[]
  held: readonly string[]
}

type Existing = {
  id: string
  page_key: string
  client_key: string | null
  created_at: string
  created_by: string | null
}

/** What is beside the paper itself when it is issued. */
interface Beside {
  reason?: string
  accounts?: AccountIds
  undoes?: Undone
  /** Income accounts of items and kinds of income that were read before. */
  incomeAccounts?: Map<string, string | null>
  /** One of many: the person who issues them opens none of them at once. */
  isOneOfMany?: boolean
  /** false: the authority is not asked for its number, as the person who issues decided. */
  askAllocation?: boolean
}

/** A paper with all its rows, and nothing left that could be refused but by the database. */
interface Ready {
  id: string
  prepared: Prepared
  document: Record<string, unknown>
  rules: { number: number | null; allowEarlier: boolean; carriesVat: boolean; credits: boolean }
  lines: Record<string, unknown>[]
  payments: Record<string, unknown>[]
  entries: Record<string, unknown>[]
  closes: Record<string, unknown>[]
  asked: Record<string, unknown>[]
  jobs: { id: string; name: string; payload: Record<string, unknown>; delaySeconds: number }[]
  audit: Record<string, unknown>
}

/** Issues a document: next number of its series, frozen, posted, what it closes closed and what comes after queued, all in one statement. The number
 * exists when the call returns and is lost with nothing else. */
export async function issue(
  ctx: Ctx,
  p: Prepared,
  existing?: Existing,
  beside: Pick<Beside, 'reason' | 'accounts' | 'undoes'> = {},
): Promise<Issued> {
  const [issued] = await write(ctx, [await ready(ctx, p, existing, beside)])
  return issued!
}

/** Issues a document and shows it: what is asked of it travels behind it, without waiting for the number. */
export async function issueAndShow<T>(
  ctx: Ctx,
  p: Prepared,
  show: (id: string) => Promise<T>,
  existing?: Existing,
  beside: Pick<Beside, 'accounts' | 'askAllocation'> = {},
): Promise<T> {
  const paper = await ready(ctx, p, existing, beside)
  const written = write(ctx, [paper])
  // What comes with a type of document is written after it, and is seen with it.
  if (consequenceOf(p.type.name)) await written
  const shown = show(paper.id)
  // Of a document that was refused nothing is shown, and the refusal is the answer.
  shown.catch(() => {})
  await written
  return shown
}

/**
 * Issues the papers that were given, in their order, all or none; as many as possible in one statement,
 * because papers that are written together cost a part of what each costs alone. The first that is refused
 * says which it was: `documents.<place>.<field>`.
 */
export async function issueAll(ctx: Ctx, given: readonly Given[]): Promise<Issued[]> {
  const [company, accounts] = [await companyOf(ctx), await accountIds(ctx)]
  const [parties, incomeAccounts] = [new Map(), new Map()]
  const issued: Issued[] = []
  let waiting: { at: number; paper: Ready }[] = []
  /** What the waiting papers close: who closes the same again must see what they left of it. */
  const touched = new Set<string>()
  const flush = async () => {
    if (waiting.length) issued.push(...(await writeTogether(ctx, waiting)))
    waiting = []
    touched.clear()
  }
  for (const [at, content] of given.entries()) {
    const closes = (content.closes ?? []).map(({ documentId }) => documentId)
    // What is left of a line, and what is asked for it, is found along a chain of papers.
    const leans = !!content.sourceId || content.lines.some(({ source }) => source)
    if (leans || closes.some((id) => touched.has(id))) await flush()
    const paper = await naming(at, async () => {
      const prepared = await prepare(ctx, content, { company, parties })
      refuseShut(prepared)
      return ready(ctx, prepared, undefined, { accounts, incomeAccounts, isOneOfMany: given.length > 1 })
    })
    waiting.push({ at, paper })
    for (const id of closes) touched.add(id)
    if (leans) await flush()
  }
  await flush()
  return issued
}

/** Runs what concerns one paper of many: a refusal names its place. */
async function naming<T>(at: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (e) {
    const failure = failureOf(e)
    if (failure.code === 'kit.failed') throw e
    const errors = failure.errors.length
      ? failure.errors
      : [{ path: '', code: failure.code, params: failure.params }]
    throw new Failure(
      'kit.badInput',
      {},
      errors.map((one) => ({ ...one, path: `documents.${at}${one.path ? `.${one.path}` : ''}` })),
    )
  }
}

/**
 * The database says what is wrong and not with which of the papers: then they are tried one after another.
 */
async function writeTogether(ctx: Ctx, papers: readonly { at: number; paper: Ready }[]): Promise<Issued[]> {
  const [first] = papers
  if (papers.length === 1) return naming(first!.at, () => write(ctx, [first!.paper]))
  await sql`savepoint together`.execute(ctx.tx)
  try {
    return await write(
      ctx,
      papers.map(({ paper }) => paper),
    )
  } catch {
    await sql`rollback to savepoint together`.execute(ctx.tx)
    const issued: Issued[] = []
    for (const { at, paper } of papers) issued.push(...(await naming(at, () => write(ctx, [paper]))))
    return issued
  }
}

/**
 * What a person issues holds no character that its paper could not show. What corrects an issued document repeats its
 * words, and where the system acts nobody is there to correct them: then the paper shows the empty box.
 */
function refuseUnprintableText(
  ctx: Ctx,
  { content, customer, deliverTo, type }: Prepared,
  { reason }: Beside,
): void {
  if (!isPerson(ctx.caller) || ctx.caller.order || type.name === 'creditInvoice' || reason !== undefined)
    return
  // The customer of the register is one field of the document.
  refuseUnprintable(
    { ...content, deliverTo, ...(content.customerId ? { customerId: customer } : { customer }) },
    ['customerId'],
  )
}

/** Refuses what may not be issued and works out every row of it. */
async function ready(
  ctx: Ctx,
  given: Prepared,
  existing: Existing | undefined,
  beside: Beside,
): Promise<Ready> {
  const p = await keptToInvoice(ctx, given)
  if (!p.content.lines.length && !p.type.linesOptional) throw atField('lines', 'fields.need')
  if (!p.customer) throw atField('customerId', 'documents.noCustomer')
  if (isTaxDocument(p.type) && p.day > ctx.today)
    throw atField('date', 'documents.dateInFuture', { day: p.day, today: ctx.today })
  refuseUnprintableText(ctx, p, beside)
  refuseDiscountAbove(p)
  checkPayments(p, await dealOf(ctx, p))
  await authorize(ctx, 'issue', {
    agorot: p.totals.total,
    currency: p.currency,
    documentType: typeId(p.type.name),
  })

  const id = existing?.id ?? newId()
  const accounts = beside.accounts ?? (await accountIds(ctx))
  const lines = linesOf(
    p,
    incomeAccounts(p, accounts),
    await accountsOfItems(ctx, p, beside.incomeAccounts ?? new Map()),
  )
  const held = beside.undoes?.held ?? (await heldIn(ctx, p, accounts))
  const landsOn = (means: number, at: number) =>
    beside.undoes?.landedOn[at] ??
    (p.payments[at]!.given.isHeld ? accounts.of('trustDeposits') : undefined) ??
    ((means === paymentMeans.transfer && (held[0] ?? p.company.transferAccountId)) ||
      accounts.of(accountOfMeans[paymentMeansById(means)!]))
  const payments = paymentsOf(p, landsOn)
  const debt = p.isIncome ? 0 : p.type.debt
  const { closes, asked: named } = await closings(ctx, p, id, p.type.debt, accounts)
  const answered = [...named, ...(await answersByLines(ctx, p, new Set(named.map((one) => one.id))))]
  const asked = [...answered, ...(await answersBeside(ctx, p, new Set(answered.map((one) => one.id))))]
  refuseIncomeInside(p, closes)
  const open = p.isIncome ? countedNow(p, closes) : { agorot: p.totals.total, ilsAgorot: p.ils.total }
  const unasked = beside.askAllocation === false && allocationStateOf(p) === 'waiting'
  const document = {
    ...columnsOf(ctx, p, id, existing),
    pending: null,
    status: closedAtOnce(p, debt) ? 'closed' : 'issued',
    open_agorot: p.type.debt * open.ilsAgorot,
    open_in_currency_agorot: p.type.debt * open.agorot,
    asked_agorot: p.type.asks ? p.totals.total : 0,
    allocation_state: p.content.handNumber || unasked ? 'notNeeded' : allocationStateOf(p),
    issued_by: byOf(ctx),
    ...(beside.reason ? { reason: beside.reason } : {}),
  }
  const job = (name: string, delaySeconds = 0) => ({
    id: newId(),
    name,
    payload: { documentId: id },
    delaySeconds,
  })
  // example: comment
  // The person who issues usually opens or sends the paper at once and so has it made; the job only catches what
  // nobody opened, and stays out of the way of people who are issuing one after another. What was written by
  // hand has its paper already, and of many papers each is made when it is first asked for: made ahead they
  // would keep the machine busy for hours.
  const jobs = p.content.handNumber || beside.isOneOfMany ? [] : [job('documents.paper', paperDelay)]
  // example end
  // The authority is asked behind the commit: issuing waits for nobody.
  if (document.allocation_state === 'waiting') jobs.push(job('allocation.ask'))
  // So is Donations Israel, of a receipt for a donation and of its cancellation.
  if (p.type.name === 'donationReceipt') jobs.push(job('donations.report'))
  const paidOpening = p.isIncome ? open.ilsAgorot : 0
  return {
    id,
    prepared: p,
    document,
    rules: {
      number: p.content.handNumber ?? null,
      allowEarlier: p.company.backDating && isInside(p.day, await openVatPeriodOf(ctx)),
      carriesVat: isTaxDocument(p.type),
      credits: p.type.name === 'creditInvoice' && !!p.content.sourceId,
    },
    lines,
    payments,
    entries: entriesOf(ctx, p, id, lines, payments, accounts, held, paidOpening),
    closes,
    asked,
    jobs,
    audit: {
      id: newId(),
      userId: ctx.caller.userId,
      address: ctx.address,
      after: {
        type: p.type.name,
        totalAgorot: p.totals.total,
        ...(p.content.cashException ? { cashException: p.content.cashException } : {}),
        ...(p.content.classException ? { classException: p.content.classException } : {}),
        ...(unasked ? { askAllocation: false } : {}),
      },
    },
  }
}

/**
 * Writes papers that do not lean on each other; what comes with a type of document follows in their order.
 */
async function write(ctx: Ctx, papers: readonly Ready[]): Promise<Issued[]> {
  const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`
  const rowsOf = (part: 'lines' | 'payments') =>
    json(
      papers.flatMap((paper) =>
        paper[part].map((row) => ({ ...row, company_id: ctx.companyId, document_id: paper.id })),
      ),
    )
  const all = (part: 'closes' | 'jobs') => json(papers.flatMap((paper): unknown[] => paper[part]))
  const entries = json(
    papers.flatMap((paper, i) => paper.entries.map((entry) => ({ ...entry, paper: i + 1 }))),
  )
  const asked = json(papers.flatMap((paper) => paper.asked.map((one) => ({ ...one, documentId: paper.id }))))
  const { rows } = await sql<{
    numbers: number[]
  }>`/*=*/ with issued as materialized
      (select issue_documents(${ctx.companyId}, ${json(papers.map((one) => one.document))},
    ${json(papers.map((one) => one.rules))}, ${rowsOf('lines')}, ${rowsOf('payments')}, ${entries},
    ${all('closes')}, ${asked}, ${all('jobs')},
    ${json(papers.map((one) => one.audit))}) as numbers)
    select numbers,
      tell_documents(${ctx.companyId}, ${papers.map((one) => one.id)}::uuid[], 'document.issued')
      from issued`.execute(ctx.tx)
  const issued = papers.map(({ id, prepared }, i) => ({ id, number: rows[0]!.numbers[i]!, prepared }))
  for (const paper of issued) await consequenceOf(paper.prepared.type.name)?.issued(ctx, paper)
  for (const follower of allFollowers()) await follower.issued(ctx, issued)
  return issued.map(({ id, number }) => ({ id, number }))
}

/**
 * A discount by sum above what the lines come to would turn the paper round. Parts of a paper may each be
 * rounded by an agora.
 */
function refuseDiscountAbove({ type, content: { discount, lines }, totals }: Prepared): void {
  if (!discount || !('agorot' in discount) || !type.parts.includes('discount')) return
  if (discount.agorot > Math.abs(totals.subtotal) + lines.length)
    throw atField('discount', 'documents.discountAboveSum')
}

/** What moves money and leaves nothing open is closed as it is issued. */
const closedAtOnce = (p: Prepared, debt: number): boolean =>
  debt === 0 ? p.type.parts.includes('payments') : p.totals.total === 0

/** In place of an account: goods that are kept in stock, of an item that names no account. */
const goods = 'goods'

/**
 * The income account of a line: the item's own, else by how VAT treats it and whether it is goods. Money held in trust is owed and no
 * income. What is bought posts nothing itself.
 */
function incomeAccounts(
  p: Prepared,
  accounts: AccountIds,
): (itemAccount: string | null, vatClass: string, vatKind?: number) => string | null {
  const named = (number: string) => {
    const id = accounts.byNumber(number)
    if (!id) throw fail('ledger.noAccount', { number })
    return id
  }
  if (isPurchase(p.type)) return () => null
  if (p.isBadDebt) {
    const badDebts = named(systemAccounts.badDebts)
    return () => badDebts
  }
  if (p.type.name === 'donationReceipt') return () => accounts.byNumber('4050') ?? named('4000')
  const income = named('4000')
  // Sales at zero rate have a separate account; the VAT return reports them separately.
  const abroad = accounts.byNumber('4020') ?? income
  const sold = accounts.byNumber('4010') ?? income
  return (itemAccount, vatClass, vatKind) => {
    if (vatKind === vatKinds.trustDeposit) return accounts.of('trustDeposits')
    if (itemAccount !== null && itemAccount !== goods) return itemAccount
    return vatClass === 'zero' ? abroad : itemAccount === goods ? sold : income
  }
}

/**
 * The account of the books a transfer in foreign currency lands on: that of the one bank account the business
 * holds in it.
 */
async function heldIn(ctx: Ctx, p: Prepared, accounts: AccountIds): Promise<string[]> {
  if (p.currency === 'ILS' || !p.payments.some((one) => one.means === paymentMeans.transfer)) return []
  const { rows } = await sql<{ account: string }>`select distinct account_id as account from bank_accounts
    where company_id = ${ctx.companyId} and currency = ${p.currency} and archived_at is null
      and currency_of_account(company_id, account_id) = currency`.execute(ctx.tx)
  // The issuer may name the bank account explicitly.
  const named = rows.find(({ account }) => account === accounts.of('bank'))
  return named ? [named.account] : rows.length === 1 ? [rows[0]!.account] : []
}

/** What of the payments is on an account, in the document's currency. */
const foreignOn = (payments: readonly Record<string, unknown>[], account: string): number =>
  payments
    .filter((one) => one.account_id === account)
    .reduce((sum, one) => sum + (one.amount_agorot as number), 0)

function entriesOf(
  ctx: Ctx,
  p: Prepared,
  documentId: string,
  lines: Record<string, unknown>[],
  payments: Record<string, unknown>[],
  accounts: AccountIds,
  held: readonly string[],
  paidOpening: number,
): Record<string, unknown>[] {
  // A total of zero says that nothing is left to pay, not that nothing happened: lines that hold nothing are dropped below.
  if (!p.type.posts) return []
  const { isIncome } = p
  const fallback = incomeAccounts(p, accounts)(null, 'exempt')
  // A receipt without lines is income of the ordinary kind; one with lines that is no income posts its money
  // alone.
  const nets =
    p.type.linesOptional && !(isIncome && lines.length)
      ? [{ account: fallback!, net: p.ils.net }]
      : lines.map((l, i) => ({ account: l.account_id as string, net: p.ils.lines[i]!.net }))
  const account = (name: Parameters<AccountIds['of']>[0], needed: boolean) =>
    needed ? accounts.of(name) : ''
  const entries = p.type.posts(
    {
      lines: nets,
      vat: p.ils.vat,
      rounding: p.ils.rounding,
      total: p.ils.total,
      payments: payments.map((one) => ({
        account: one.account_id as string,
        amount: one.ils_agorot as number,
      })),
    },
    {
      customers: accounts.of('customers'),
      party: p.customerId!,
      outputVat: account('outputVat', p.ils.vat !== 0),
      rounding: account('rounding', p.ils.rounding !== 0),
      trustDeposits: account('trustDeposits', p.type.name === 'depositReceipt'),
    },
    isIncome,
  )
  if (paidOpening)
    entries.push({
      postings: postPaidOpening(paidOpening, {
        customers: accounts.of('customers'),
        party: p.customerId!,
        openingBalances: accounts.of('openingBalances'),
      }),
    })
  return entries
    .filter((entry) => entry.postings.length)
    .map((entry) =>
      entryForDatabase(ctx, {
        id: newId(),
        day: p.day,
        kind: entry.kind ?? p.type.name,
        documentId,
        details: p.content.subject || p.customer!.name,
        postings: entry.postings.map((posting) =>
          held.includes(posting.account)
            ? withForeign(posting, p.currency, foreignOn(payments, posting.account))
            : posting,
        ),
      }),
    )
}

interface Closing {
  id: string
  type: number
  customerId: string | null
  asks: boolean
  currency: string
  open: number
}

/**
 * A request is answered by money of its own customer, in its own currency and by no more than came. Debts are
 * held to the same by the database, which settles them; a request is settled by nothing, so it is held to it
 * here.
 */
function refuseAnswers(
  ctx: Ctx,
  p: Prepared,
  answers: readonly { amountAgorot: number; request: Closing }[],
): void {
  if (!answers.length) return
  const mayAnswer = ({ request }: { request: Closing }) =>
    p.type.parts.includes('payments') &&
    request.customerId === p.customerId &&
    request.currency === p.currency &&
    canDocument(ctx.caller, request.type)
  if (!answers.every(mayAnswer)) throw atField('closes', 'fields.ref')
}

/** Money pays no more than was received, of debts and of requests. */
function refuseMoreThanReceived(p: Prepared, takes: readonly number[]): void {
  const [marked, received] = [sum(takes), Math.abs(p.totals.total)]
  if (!p.type.parts.includes('payments') || marked <= received) return
  throw atField('closes', 'documents.closesAboveReceived', {
    marked: formatMoney(marked),
    received: formatMoney(received),
  })
}

/** What the new document closes: as money or a credit the debts it names, as a debt the money it names. */
async function closings(ctx: Ctx, p: Prepared, id: string, debt: number, accounts: AccountIds) {
  const named = [...(p.content.closes ?? [])]
  // A credit closes its invoice as far as that is open; what is left of it stays to the customer's credit.
  const isCredit = p.type.name === 'creditInvoice' && !!p.content.sourceId
  const wanted = [...named.map((c) => c.documentId), ...(isCredit ? [p.content.sourceId!] : [])]
  if (!wanted.length) return { closes: [], asked: [] }
  const { rows } =
    await sql<Closing>`select id, type, customer_id as "customerId", ${asks()} as asks, currency,
        abs(open_in_currency_agorot) as open from documents
    where company_id = ${ctx.companyId} and id = any(${wanted}::uuid[]) for update`.execute(ctx.tx)
  const found = (documentId: string) => {
    const row = rows.find((r) => r.id === documentId)
    if (!row) throw atField('closes', 'fields.ref')
    return row
  }
  const ofRequests = named.filter((c) => found(c.documentId).asks)
  refuseAnswers(
    ctx,
    p,
    ofRequests.map((c) => ({ ...c, request: found(c.documentId) })),
  )
  refuseMoreThanReceived(
    p,
    ofRequests.map((c) => c.amountAgorot),
  )
  const asked = ofRequests.map((c) => ({ rowId: newId(), id: c.documentId, agorot: c.amountAgorot }))
  const base = () => ({
    id: newId(),
    entryId: newId(),
    day: p.day,
    by: byOf(ctx),
    customers: accounts.of('customers'),
    // By cash all that came is income, whatever the debt was worth before.
    exchange: accounts.of(p.isIncome ? 'openingBalances' : 'exchangeDifferences'),
  })
  const givesMoney = debt * p.totals.total < 0
  const closes = named
    .filter((c) => !found(c.documentId).asks)
    .map((c) => {
      const same = found(c.documentId).currency === p.currency
      const takes = same ? c.amountAgorot : c.takesAgorot
      if (takes === undefined) throw atField('closes', 'fields.need')
      return givesMoney
        ? { ...base(), fromId: id, toId: c.documentId, fromAgorot: takes, toAgorot: c.amountAgorot }
        : { ...base(), fromId: c.documentId, toId: id, fromAgorot: c.amountAgorot, toAgorot: takes }
    })
  if (givesMoney)
    refuseMoreThanReceived(
      p,
      closes.map((one) => one.fromAgorot),
    )
  if (isCredit && !named.length) {
    const invoice = found(p.content.sourceId!)
    const amount = Math.min(invoice.open, p.totals.total)
    if (amount > 0)
      closes.push({ ...base(), fromId: id, toId: invoice.id, fromAgorot: amount, toAgorot: amount })
  }
  return { closes, asked }
}

/**
 * An invoice created from payment requests replaces them: they ask no longer, by part where it takes a part of their
 * lines. The last part answers for all that is still asked; what is already paid is not answered twice.
 */
async function answersByLines(ctx: Ctx, p: Prepared, named: ReadonlySet<string>) {
  if (!p.type.follows.includes('paymentRequest') || p.type.parts.includes('closes')) return []
  const ids = [...new Set(p.content.lines.flatMap((l) => l.source?.documentId ?? []))].filter(
    (id) => !named.has(id),
  )
  if (!ids.length) return []
  const { rows } = await sql<{
    id: string
    asked: number
  }>`select id, asked_agorot as asked from documents where company_id = ${ctx.companyId}
    and id = any(${ids}::uuid[]) and ${asks()} and asked_agorot > 0 and ${isLive()}
    order by id for update`.execute(ctx.tx)
  const answers = []
  for (const { id, asked } of rows) {
    const left = await leftOf(ctx, id, typeId(p.type.name))
    const parts = (await loadLines(ctx, id)).map((l) => {
      const taken = p.content.lines
        .filter(({ source }) => source?.documentId === id && source.line === l.line)
        .reduce((total, one) => total + (parseDecimal4(one.source!.quantity ?? one.quantity) ?? 0), 0)
      const [whole, before] = [parseDecimal4(l.quantity) ?? 0, parseDecimal4(left.get(l.line) ?? '0') ?? 0]
      const upTo = (quantity: number) =>
        whole ? timesFraction(l.total_agorot, quantity, whole, 'halfAwayFromZero') : 0
      return { isLast: before - taken <= 0, agorot: taken ? upTo(before) - upTo(before - taken) : 0 }
    })
    const agorot = parts.every(({ isLast }) => isLast)
      ? asked
      : Math.min(asked, sum(parts.map((one) => one.agorot)))
    if (agorot > 0) answers.push({ rowId: newId(), id, agorot })
  }
  return answers
}

/**
 * What an invoice charges of an order, or of a paper that goes back to it, the requests that were made of the
 * same lines ask no longer: what is charged first is what was asked for first, and the last of it answers for
 * all that is still asked.
 */
async function answersBeside(ctx: Ctx, p: Prepared, known: ReadonlySet<string>) {
  if (!p.type.follows.includes('paymentRequest') || p.type.parts.includes('closes')) return []
  const taken = p.content.lines.flatMap(({ source, quantity }) =>
    source ? [{ doc: source.documentId, line: source.line, quantity: source.quantity ?? quantity }] : [],
  )
  if (!taken.length) return []
  const { rows } = await sql<{
    id: string
    asked: number
    total: number
    quantity: number
    /** Asked for by earlier lines of the same source. */
    earlier: number
    taken: number | null
    charged: number
  }>`with recursive up as (
      select x.doc, x.line, x.quantity
      from jsonb_to_recordset(${JSON.stringify(taken)}::jsonb) x (doc uuid, line int, quantity numeric)
      union all select l.source_document_id, l.source_line::int, up.quantity from up
        join document_lines l on l.company_id = ${ctx.companyId} and l.document_id = up.doc
          and l.line = up.line
        join documents d on d.company_id = l.company_id and d.id = l.document_id and ${doesNotAsk('d')}
        where l.source_document_id is not null),
    sources as (select doc, line, sum(quantity) as taken from up group by doc, line),
    asking as (select l.document_id, l.line, l.quantity, l.total_agorot, s.doc, s.line as source_line,
    s.taken,
        sum(l.quantity) over (partition by s.doc, s.line order by d.day, d.number, l.line) - l.quantity as
        earlier
      from sources s join document_lines l on l.company_id = ${ctx.companyId} and l.source_document_id = s.doc
        and l.source_line = s.line
      join documents d on d.company_id = l.company_id and d.id = l.document_id
        and ${asks('d')} and ${isLive('d')} and d.currency = ${p.currency}
        and d.customer_id = ${p.customerId})
    select r.id, r.asked_agorot as asked, l.total_agorot as total, (l.quantity * 10000)::bigint as quantity,
      coalesce(a.earlier * 10000, 0)::bigint as earlier,
      (a.taken * 10000)::bigint as taken, (coalesce((with recursive down as (
          select t.document_id, t.line, t.takes, o.type from document_lines t
          join documents o on o.company_id = t.company_id and o.id = t.document_id
            where t.company_id = ${ctx.companyId} and t.source_document_id = a.doc
              and t.source_line = a.source_line and ${doesNotAsk('o')} and ${isLive('o')}
          union all select t.document_id, t.line, t.takes, o.type from down
          join document_lines t on t.company_id = ${ctx.companyId}
              and t.source_document_id = down.document_id and t.source_line = down.line
              and ${isNotInvoice('down')}
            join documents o on o.company_id = t.company_id and o.id = t.document_id and ${doesNotAsk('o')}
              and ${isLive('o')})
        select sum(takes) from down where ${isInvoice()}), 0) * 10000)::bigint as charged
    from documents r join document_lines l on l.company_id = r.company_id and l.document_id = r.id
      left join asking a on a.document_id = l.document_id and a.line = l.line
    where r.company_id = ${ctx.companyId} and r.id in (select document_id from asking) and r.asked_agorot > 0
    order by r.id, l.line`.execute(ctx.tx)
  return [...new Set(rows.map(({ id }) => id))].flatMap((id) => {
    const own = rows.filter((row) => row.id === id)
    const parts = own.map(({ total, quantity, earlier, taken: now, charged }) => {
      const covered = (upTo: number) => Math.max(0, Math.min(quantity, upTo - earlier))
      const worth = (part: number) =>
        quantity > 0 ? timesFraction(total, part, quantity, 'halfAwayFromZero') : 0
      if (now === null) return { isLast: quantity <= 0, agorot: 0 }
      const [before, after] = [covered(charged), covered(charged + now)]
      return { isLast: after >= quantity, agorot: worth(after) - worth(before) }
    })
    const { asked } = own[0]!
    const worth = sum(parts.map((one) => one.agorot))
    const agorot = parts.every(({ isLast }) => isLast) ? asked : Math.min(asked, worth)
    return agorot > 0 && worth !== 0 && !known.has(id) ? [{ rowId: newId(), id, agorot }] : []
  })
}

/**
 * What an income receipt closes of debts that are income only now they are paid, in its currency and in
 * shekels; with its own sign. The rest of it is income of the day and closes nothing.
 */
function countedNow(
  p: Prepared,
  closes: readonly { fromAgorot: number; toAgorot: number }[],
): { agorot: number; ilsAgorot: number } {
  const { total } = p.totals
  const closed = sum(closes.map((one) => (total > 0 ? one.fromAgorot : one.toAgorot)))
  if (closed > Math.abs(total))
    throw atField('payments', 'documents.paymentsDiffer', {
      totalAgorot: closed,
      differenceAgorot: total - closed,
    })
  const agorot = Math.sign(total) * closed
  return {
    agorot,
    ilsAgorot:
      agorot === total
        ? p.ils.total
        : timesFraction(p.ils.total, closed, Math.abs(total), 'halfAwayFromZero'),
  }
}

/**
 * Where the receipt is the income, one for a debt that was income before is for nothing else: other money needs a
 * separate receipt.
 */
function refuseIncomeInside(p: Prepared, closes: readonly { fromAgorot: number }[]): void {
  if (p.isIncome || !isIncomeItself(p.type, p.company.kind) || p.totals.total <= 0) return
  const closed = sum(closes.map((c) => c.fromAgorot))
  if (closed === p.totals.total) return
  throw atField('payments', 'documents.paymentsDiffer', {
    totalAgorot: closed,
    differenceAgorot: p.totals.total - closed,
  })
}

/** The deal whose price decides how much cash the law allows, and the cash it took before. */
async function dealOf(ctx: Ctx, p: Prepared): Promise<{ price: number; cashBefore: number }> {
  const ids = (p.content.closes ?? []).map((c) => c.documentId)
  if (!ids.length || !p.payments.some((one) => one.means === 1)) return { price: 0, cashBefore: 0 }
  const { rows } = await sql<{ price: number; cash: number }>`
    select coalesce(sum(abs(d.ils_total_agorot)), 0)::bigint as price,
      coalesce((select sum(y.ils_agorot) from document_payments y where y.company_id = ${ctx.companyId}
      and y.means = 1 and y.document_id in
        (select s.from_id from settlements s where s.company_id = ${ctx.companyId}
        and s.to_id = any(${ids}::uuid[]) and s.reverses_id is null
          and not exists (select 1 from settlements r where r.company_id = s.company_id
          and r.reverses_id = s.id))), 0)::bigint as cash
    from documents d where d.company_id = ${ctx.companyId} and d.id = any(${ids}::uuid[])`.execute(ctx.tx)
  return { price: rows[0]!.price, cashBefore: rows[0]!.cash }
}

/**
 * The income accounts that items and kinds of income name, by the id of either; a kind that a line names
 * itself comes before its item's.
 */
async function accountsOfItems(
  ctx: Ctx,
  p: Prepared,
  known: Map<string, string | null>,
): Promise<ReadonlyMap<string, string | null>> {
  const missing = (of: readonly (string | null | undefined)[]) =>
    [...new Set(of)].filter((id): id is string => !!id && !known.has(id))
  const ids = missing(p.content.lines.map((l) => l.itemId))
  const kinds = missing(p.content.lines.map((l) => l.incomeKindId))
  if (!ids.length && !kinds.length) return known
  const { rows } = await sql<{
    id: string
    account_id: string | null
  }>`select i.id, coalesce(i.account_id::text, k.account_id::text, case when i.is_stocked then ${goods} end)
        as account_id from items i
      left join income_kinds k on k.company_id = i.company_id and k.id = i.income_kind_id
      where i.company_id = ${ctx.companyId} and i.id = any(${ids}::uuid[])
    union all select id, account_id::text from income_kinds where company_id = ${ctx.companyId}
      and id = any(${kinds}::uuid[])`.execute(ctx.tx)
  if (rows.length !== ids.length + kinds.length) throw atField('lines', 'fields.ref')
  for (const { id, account_id } of rows) known.set(id, account_id)
  return known
}
