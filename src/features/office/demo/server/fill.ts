import { sql } from 'kysely'
import {
  addDays,
  addMonths,
  compareDays,
  dayInJerusalem,
  endOfMonth,
  startOfMonth,
  type Day,
} from '#domain/day.ts'
import { asCaller, newId, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { showBankAccount } from '#features/money/bank/server/index.ts'
import { postDepreciationMonths } from '#features/books/assets/server/index.ts'
import { companyOf, openCompany } from '#features/base/companies/server/index.ts'
import {
  cancelDocument,
  issuePrepared,
  keepPrepared,
  prepareDocument,
} from '#features/sales/documents/server/index.ts'
import { showLetters } from '#features/people/letters/server/index.ts'
import { showSigning } from '#features/sales/signing/server/index.ts'
import { showStock } from '#features/sales/stock/server/index.ts'
import { showCommittee } from '#features/money/committee/server/index.ts'
import { showClasses } from '#features/calendar/bookingPage/server/index.ts'
import { createCustomer } from '#features/registers/parties/server/index.ts'
import { showPest } from '#features/people/pest/server/index.ts'
import { showContacts } from '#features/people/contacts/server/index.ts'
import { showLeads } from '#features/people/leads/server/index.ts'
import { showTasks } from '#features/people/tasks/server/index.ts'
import { showOutside } from '#features/people/outside/server/index.ts'
import { addPaymentsOnline } from '#features/money/paymentLinks/server/index.ts'
import { showSettlements } from '#features/money/settlements/server/index.ts'
import { addPayPages } from '#features/money/payPages/server/index.ts'
import { addSavedCards } from '#features/money/savedCards/server/index.ts'
import { showStandingOrders } from '#features/money/standingOrders/server/index.ts'
import { createDeposit } from '#features/sales/payments/server/index.ts'
import type { Customer } from '#features/registers/parties/server/index.ts'
import { changeBank, createCertificate, createSupplier } from '#features/registers/suppliers/server/index.ts'
import { planReport } from '#features/reports/reportPlans/server/index.ts'
import { shareReport } from '#features/reports/reportShares/server/index.ts'
import { showBudget } from '#features/books/budget/server/index.ts'
import { showQuestions } from '#features/reports/questions/server/index.ts'
import { showRequests } from '#features/partners/requests/server/index.ts'
import { showHours } from '#features/partners/time/server/index.ts'
import { showAffiliates } from '#features/partners/affiliates/server/index.ts'
import { showTickets } from '#features/office/support/server/index.ts'
import { makeKey } from '#features/open/apiKeys/server/index.ts'
import { showWebhooks } from '#features/open/webhooks/server/index.ts'
import { showDrive } from '#features/connected/drive/server/index.ts'
import { showShop } from '#features/connected/shops/server/index.ts'
import { showFilings } from '#features/tax/filings/server/index.ts'
import { showBadDebt } from '#features/tax/badDebts/server/index.ts'
import { hashChosen } from '#features/base/session/server/index.ts'
import type { Item } from '#features/registers/items/items.ts'
import { addItems, addPriceList, addProject } from './catalogue.ts'
import { addDollars, addOpening, filePeriods, handOver } from './books.ts'
import { addCustomers, streetOf } from './customers.ts'
import { bookBills, bookWages, expectBills, leaveForApproval, payBills, type Bill } from './expenses.ts'
import { addOrders, openStock } from './orders.ts'
import { addPeople, addSeller } from './people.ts'
import { addPictures, showSharedFile } from './pictures.ts'
import type { DemoBusiness } from './world.ts'

interface Payment {
  day: Day
  documentId: string
  customerId: string
  /** In the currency of what is paid. */
  agorot: number
  currency: string
  rate: string
}

/** Numbers that look random and are the same every time. */
export function dice(seed: number): (sides: number) => number {
  let state = seed >>> 0
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

/**
 * Two reports that are sent automatically: one each month before the VAT date, one only when customers owe much.
 */
async function planReports(ctx: Ctx): Promise<void> {
  const usual = { weekday: 0, monthDay: 1, daysBefore: 3, hour: 8, isOn: true, people: [ctx.caller.userId] }
  const year = ctx.today.slice(0, 4)
  await planReport(ctx, {
    ...usual,
    report: 'income',
    query: { from: `${year}-01-01`, to: ctx.today },
    title: 'הכנסות לפני דיווח מע״מ',
    every: 'vat',
    span: 'lastVat',
    formats: ['pdf', 'xlsx'],
    condition: null,
  })
  await planReport(ctx, {
    ...usual,
    report: 'ageing',
    query: {},
    title: 'לקוחות שמאחרים',
    every: 'week',
    span: 'own',
    formats: ['pdf'],
    condition: { total: 'd60Agorot', is: 'over', value: 1_000_000 },
  })
}

/** Opens a demo business with an owner and fills it with a year that ends today. */
export async function openDemoBusiness(
  app: App,
  business: DemoBusiness,
  account: { email: string; password: string; language: 'he' | 'en' | 'ar' | 'ru' | 'fr' },
): Promise<{ companyId: string; userId: string }> {
  const userId = newId()
  const passwordHash = await hashChosen(account.password, [])
  const companyId = await asSystem(app.db, async (tx) => {
    await sql`insert into users (id, email, full_name, language, password_hash, email_verified_at)
      values (${userId}, ${account.email}, ${business.owner}, ${account.language}, ${passwordHash},
        now())`.execute(tx)
    return openCompany(
      { tx },
      {
        name: business.name,
        kind: business.kind,
        taxId: business.taxId,
        email: account.email,
        phone: business.phone,
        language: 'he',
        demo: true,
      },
      userId,
    )
  })
  const sellerId = await addSeller(app, companyId, userId)
  await asCaller(app, { ...systemCaller(companyId, userId), fullName: business.owner }, '', async (ctx) => {
    await sql`update companies set street = ${business.street}, city = ${business.city},
        zip = ${business.zip}, accent = ${business.accent}, vat_period_months = ${business.vatPeriodMonths},
      due_terms = ${business.dueTerms}, bank_details = ${'בנק 12, סניף 702\nחשבון 000142/61'}
      where id = ${companyId}`.execute(ctx.tx)
    const customers = await addCustomers(ctx, business, sellerId)
    const items = await addItems(ctx, business)
    await addPriceList(ctx, customers, items)
    await addSuppliers(ctx, business)
    await addPeople(ctx)
    if (business.pace) await openStock(ctx, items)
    if (business.pace) await fillYear(ctx, business, customers, items)
    if (business.pace) await addOrders(ctx, customers, items)
    if (business.pace) await showStock(ctx)
    if (business.pace) await addPictures(ctx)
    if (business.pace) await showSharedFile(ctx)
    if (business.pace) await addPaymentsOnline(ctx, customers)
    if (business.pace) await addSavedCards(ctx, customers)
    if (business.pace) await addPayPages(ctx)
    if (business.pace) await showSettlements(ctx)
    if (business.pace) await showBankAccount(ctx)
    if (business.pace) await addDollars(ctx)
    if (business.pace)
      await filePeriods(ctx, startOfMonth(addMonths(ctx.today, -11)), business.vatPeriodMonths)
    if (business.pace) await showBadDebt(ctx)
    if (business.pace) await handOver(ctx)
    if (business.pace)
      await shareReport(ctx, {
        report: 'income',
        query: { from: `${ctx.today.slice(0, 4)}-01-01`, to: ctx.today },
        title: 'הכנסות השנה, לרואת החשבון',
        password: 'להדגמה בלבד',
        expiresOn: addMonths(ctx.today, 3),
      })
    if (business.pace) await planReports(ctx)
    if (business.pace) await showQuestions(ctx)
    if (business.pace) await showBudget(ctx)
    if (business.pace) await showWebhooks(ctx)
    if (business.pace) await showShop(ctx)
    if (business.pace) await showDrive(ctx)
    if (business.pace) await showTickets(ctx)
    if (business.pace) await showRequests(ctx)
    await showLetters(
      ctx,
      customers.map(({ id }) => id),
    )
    await showOutside(ctx, customers[0]?.id, Boolean(business.pace))
    if (business.pace) await showSigning(ctx, customers)
    await showPest(
      ctx,
      customers.slice(0, 2).map(({ id }) => id),
    )
    if (business.pace) {
      const ids = customers.map(({ id }) => id)
      const persons = await addPersons(ctx)
      await showCommittee(ctx, persons)
      await sql`update companies set areas_switched = areas_switched || '{"time": true}'
        where id = ${companyId}`.execute(ctx.tx)
      await showHours(ctx, { personId: sellerId })
      await showContacts(ctx, ids)
      await showLeads(ctx)
      await showTasks(ctx, ids)
      await showClasses(ctx, persons, userId)
    }
  })
  if (business.pace) await showAffiliates(app, { companyId, today: dayInJerusalem(app.now()) })
  // The papers of a made-up past are printed when somebody looks at them, not all at once; and what was asked
  // in it is asked of nobody.
  await sql`update outbox set done_at = now() where company_id = ${companyId}
      and name in ('documents.paper', 'support.mail', 'support.lapse', 'letters.mail', 'letters.sms')
      and done_at is null`.execute(app.db.kysely)
  // A year came at once: the database learns of it now and not in a minute, in which its answers would take
  // many seconds. Of what has hardly grown by it, it knows enough.
  const { rows: grown } = await sql<{
    name: string
  }>`select quote_ident(relname) as name from pg_stat_user_tables where schemaname = current_schema()
      and n_mod_since_analyze > 50 + n_live_tup / 10`.execute(app.db.kysely)
  if (grown.length > 0)
    await sql`analyze ${sql.raw(grown.map(({ name }) => name).join(', '))}`.execute(app.db.kysely)
  return { companyId, userId }
}

/** Suppliers with what the tax authority and the bank know of them. */
async function addSuppliers(ctx: Ctx, business: DemoBusiness): Promise<void> {
  if (business.withholdingFile)
    await sql`update companies set withholding_file = ${business.withholdingFile}
      where id = ${ctx.companyId}`.execute(ctx.tx)
  for (const { name, city, values, certificate, movedTo } of business.suppliers) {
    const { id } = await createSupplier(ctx, { name, city, street: streetOf(name), ...values })
    if (certificate) {
      const { days, ...said } = certificate
      await createCertificate(ctx, {
        supplierId: id,
        fromDay: addDays(ctx.today, days - 365),
        toDay: addDays(ctx.today, days),
        ...said,
      })
    }
    if (movedTo)
      await changeBank(ctx, { id, bankAccountName: null, iban: null, ...movedTo, again: movedTo.bankAccount })
  }
}

async function fillYear(
  ctx: Ctx,
  business: DemoBusiness,
  customers: Customer[],
  items: Item[],
): Promise<void> {
  const roll = dice(business.taxId.length * 7919 + (Number(business.taxId) % 9973))
  const { companyId } = ctx
  const company = await companyOf(ctx)
  const start = startOfMonth(addMonths(ctx.today, -11))
  const project = await addProject(ctx, customers[0]!)
  await expectBills(ctx, business, start)
  const bills: Bill[] = []
  /** One invoice of the first month is never paid: it is written off later. */
  let isLost = false
  // Of what was owed before, the older paper was paid since, but for a part.
  const [owed] = await addOpening(ctx, start, customers)
  const payments: Payment[] = [
    {
      day: addDays(start, 9),
      documentId: owed!.documentId,
      customerId: owed!.customerId,
      agorot: owed!.agorot - 54_000,
      currency: 'ILS',
      rate: '1',
    },
  ]
  const firstOf = await showStandingOrders(
    ctx,
    customers.filter(({ zeroRate }) => !zeroRate),
    start,
  )
  for (let month = start; compareDays(month, ctx.today) <= 0; month = addMonths(month, 1)) {
    for (const paper of await firstOf(month))
      if (addDays(month, 8) <= ctx.today && roll(12) > 0)
        payments.push({ ...paper, day: addDays(month, 8), currency: 'ILS', rate: '1' })
    const last = endOfMonth(month) < ctx.today ? endOfMonth(month) : ctx.today
    const count = Math.max(2, business.pace + roll(4) - 2)
    const days = Array.from({ length: count }, () => addDays(month, roll(Number(last.slice(8))))).sort()
    for (const day of days) {
      const customer = customers[roll(customers.length)]!
      const wanted = 1 + roll(3)
      const fitting = items.filter((i) => (i.currency === 'EUR') === !!customer.zeroRate)
      const chosen = Array.from(
        { length: wanted },
        () => (fitting.length ? fitting : items)[roll((fitting.length ? fitting : items).length)]!,
      )
      const prepared = await prepareDocument(ctx, {
        type: 8,
        customerId: customer.id,
        date: day,
        ...(customer.id === project.customerId && day >= project.fromDay! ? { projectId: project.id } : {}),
        ...(customer.zeroRate ? { currency: 'EUR', rate: '3.9' } : {}),
        ...(roll(9) === 0 ? { discount: { basisPoints: 500 } } : {}),
        lines: [...new Set(chosen)].map((i) => ({
          itemId: i.id,
          sku: i.sku ?? '',
          description: i.name,
          unit: i.unit ?? '',
          quantity: String(1 + roll(i.unit === 'מ׳' ? 24 : 3)),
          unitPrice: i.price ?? '0',
        })),
      })
      const issued = await issuePrepared(ctx, prepared)
      // The authority has long answered for what is older than a week.
      if (day < addDays(ctx.today, -7))
        await grantAllocation(ctx, issued.id, String(100_000_000 + roll(899_999_999)))
      // Nine in ten pay, most of them a little after the due day.
      const paid = addDays(prepared.dueDay ?? day, roll(25) - 12)
      if (roll(40) === 0) await cancelDocument(ctx, { id: issued.id, reason: 'העבודה לא בוצעה' }, day)
      else if (roll(10) > 0 && paid <= ctx.today && paid >= day) {
        if (!isLost && !customer.zeroRate) {
          isLost = true
          continue
        }
        payments.push({
          day: paid,
          documentId: issued.id,
          customerId: customer.id,
          agorot: prepared.totals.total,
          currency: prepared.currency,
          rate: prepared.rate,
        })
      }
    }
    await bookWages(ctx, business, last)
    bills.push(...(await bookBills(ctx, business, month, last, roll)))
  }
  await receive(ctx, payments, roll)
  await bankCheques(ctx)
  await payBills(ctx, bills)
  await leaveForApproval(ctx)
  await showFilings(ctx)
  // The last month is left for the person who looks.
  await postDepreciationMonths(ctx, addDays(startOfMonth(addMonths(ctx.today, -1)), -1))
  const draft = customers[1]!
  await keepPrepared(
    ctx,
    await prepareDocument(ctx, {
      type: 8,
      customerId: draft.id,
      subject: 'עבודות נובמבר',
      lines: [
        {
          description: items[0]!.name,
          itemId: items[0]!.id,
          unitPrice: items[0]!.price ?? '0',
          quantity: '2',
        },
      ],
    }),
  )
  await showApprovals(ctx, customers, items)
  await ctx.audit('demo.fill', 'companies', companyId, undefined, { name: company.name })
}

const grantAllocation = (ctx: Ctx, id: string, number: string) =>
  sql`update documents set allocation_state = 'granted', allocation_number = ${number}
    where company_id = ${ctx.companyId} and id = ${id} and allocation_state = 'waiting'`.execute(ctx.tx)

/**
 * What came in for invoices, as receipts in the order of their days: mostly transfers, sometimes a cheque or
 * the payment app.
 */
async function receive(ctx: Ctx, payments: Payment[], roll: (sides: number) => number): Promise<void> {
  const inOrder = payments.toSorted((a, b) => compareDays(a.day, b.day))
  for (const [i, p] of inOrder.entries()) {
    const kind = roll(10)
    const means = kind < 2 ? 2 : kind === 2 ? 5 : 3
    // The last customer paid a round amount: the rest is the customer's credit.
    const over = i === inOrder.length - 1 ? 100_00 : 0
    const content = {
      type: 6,
      customerId: p.customerId,
      date: p.day,
      ...(p.currency === 'ILS' ? {} : { currency: p.currency, rate: p.rate }),
      lines: [],
      payments: [
        {
          means,
          amountAgorot: p.agorot + over,
          ...(means === 2
            ? {
                bank: '12',
                branch: '600',
                account: '123456',
                number: String(2000 + i),
                dueDate: addDays(p.day, roll(45)),
              }
            : {}),
        },
      ],
      closes: [{ documentId: p.documentId, amountAgorot: p.agorot }],
    }
    await issuePrepared(ctx, await prepareDocument(ctx, content))
  }
}

/** Cheques whose day has come lie in the bank, but for the newest. */
async function bankCheques(ctx: Ctx): Promise<void> {
  const { rows } = await sql<{
    id: string
  }>`select id from document_payments where company_id = ${ctx.companyId} and means = 2 and state = 'received'
    and due_day <= ${addDays(ctx.today, -10)} order by due_day`.execute(ctx.tx)
  if (rows.length)
    await createDeposit(ctx, { date: ctx.today, payments: rows.map((r) => r.id), cashAgorot: 0 })
}

const names = [
  'אלה מזרחי',
  'נועם פרץ',
  'תמר גולן',
  'איתי שרון',
  'שירה אוחיון',
  'יונתן קדוש',
  'מאיה פרידמן',
  'עומר חדד',
  'ליה אברהם',
  'דניאל ביטון',
  'רוני שפירא',
  'גל עזרא',
] as const

/** The person who lives in a house and comes to classes is a person, not one of the firms that buy goods. */
async function addPersons(ctx: Ctx): Promise<string[]> {
  const { rows: like } = await sql<{
    typeId: string | null
    statusId: string | null
  }>`select type_id as "typeId", status_id as "statusId" from parties where company_id = ${ctx.companyId}
      and role = 'customer' and type_id is not null and status_id is not null
    order by is_dealer, created_at, id limit 1`.execute(ctx.tx)
  const ids: string[] = []
  for (const [n, name] of names.entries())
    ids.push(
      (
        await createCustomer(ctx, {
          name,
          mobile: `054-33${String(10_000 + n * 811).slice(0, 5)}`,
          city: 'חיפה',
          ...like[0],
        })
      ).id,
    )
  return ids
}

/** A program that may prepare drafts only has prepared two of them; they wait for the owner. */
async function showApprovals(
  ctx: Ctx,
  customers: readonly Customer[],
  items: readonly Item[],
): Promise<void> {
  const { key } = await makeKey(ctx, {
    name: 'סוכן הזמנות',
    readOnly: false,
    draftsOnly: true,
    rules: [],
    docsAllow: [],
    sumLimitAgorot: null,
    expiresOn: null,
  })
  const { id, prefix } = key
  const program: Ctx = {
    ...ctx,
    caller: {
      ...ctx.caller,
      apiKey: { id, prefix, readOnly: false, draftsOnly: true, sumLimitAgorot: null },
    },
  }
  const orders = [
    [customers[2], items[1], '3', 'הזמנה 5521 מהאתר'],
    [customers[0], items[0], '1', 'הזמנה 5524 מהאתר'],
  ] as const
  for (const [customer, item, quantity, subject] of orders)
    if (customer && item)
      await keepPrepared(
        program,
        await prepareDocument(program, {
          type: 8,
          customerId: customer.id,
          subject,
          lines: [{ description: item.name, itemId: item.id, unitPrice: item.price ?? '0', quantity }],
        }),
      )
}
