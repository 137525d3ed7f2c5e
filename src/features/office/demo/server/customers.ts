import { create, servedNamed } from '#kit/server/described/resources.ts'
import type { Ctx } from '#kit/server/context.ts'
import { createCustomer, type Customer } from '#features/registers/parties/server/index.ts'
import type { DemoBusiness } from './world.ts'

/** A record of a register that is served by its description alone. */
const make = (ctx: Ctx, resource: string, values: Record<string, unknown>) =>
  create(ctx, servedNamed(resource)!, values) as Promise<{ id: string }>

/** People at customers: name, what they do, the beginning of their address, and which papers reach them. */
const people = [
  { name: 'מיכל אורן', duty: 'הנהלת חשבונות', at: 'accounts', getsInvoices: true, getsReminders: true },
  { name: 'יוסי ביטון', duty: 'מנהל העבודה', at: 'site', getsInvoices: false, getsReminders: false },
  { name: 'רנא חדאד', duty: 'רכש', at: 'orders', getsInvoices: true, getsReminders: false },
  { name: 'אלכס גורביץ׳', duty: 'מזכירות', at: 'office', getsInvoices: false, getsReminders: true },
] as const

const streets = ['הרצל 12', 'ויצמן 40', 'האורנים 3', 'דרך הים 77', 'הנשיא 5'] as const

/** A street for the person who has none written, the same each time. */
export const streetOf = (name: string): string => streets[name.length % streets.length]!

/**
 * The customers with what sorts them (type, status, portfolio, tags, who sells to them), and with the people
 * and the places of those that are businesses.
 */
export async function addCustomers(ctx: Ctx, business: DemoBusiness, sellerId: string): Promise<Customer[]> {
  const [firms, homes] = [
    await make(ctx, 'customerTypes', { name: 'עסקי', dueTerms: business.dueTerms }),
    await make(ctx, 'customerTypes', { name: 'פרטי', dueTerms: 'now' }),
  ]
  const statuses = [
    await make(ctx, 'customerStatuses', { name: 'פעיל', color: '#1d7a4f' }),
    await make(ctx, 'customerStatuses', { name: 'חדש', color: '#2a62b8' }),
    await make(ctx, 'customerStatuses', { name: 'במעקב', color: '#a86400' }),
  ]
  const portfolio = await make(ctx, 'portfolios', { name: 'לקוחות קבועים', agentId: ctx.caller.userId })
  const customers: Customer[] = []
  for (const [i, one] of business.customers.entries()) {
    const isFirm = one.isDealer === true || one.taxId !== undefined
    const status = i % 5 === 3 ? 2 : i % 4 === 2 ? 1 : 0
    const customer = await createCustomer(ctx, {
      language: 'he',
      isDealer: false,
      zeroRate: false,
      street: streets[i % streets.length],
      typeId: (isFirm ? firms : homes).id,
      statusId: statuses[status]!.id,
      ...(i % 3 === 0 ? { portfolioId: portfolio.id } : {}),
      ...(i % 4 === 3 ? {} : { agentId: i % 2 === 0 ? sellerId : ctx.caller.userId }),
      tags: [
        ...(isFirm ? ['חוזה שירות'] : []),
        ...(i % 4 === 1 ? ['ממליץ'] : []),
        ...(one.zeroRate ? ['חו״ל'] : []),
      ],
      ...one,
    })
    customers.push(customer)
    if (isFirm) await addPeopleAndPlaces(ctx, customer, i)
  }
  return customers
}

async function addPeopleAndPlaces(ctx: Ctx, { id, email, city }: Customer, i: number): Promise<void> {
  const domain = email?.split('@')[1] ?? 'customer.example'
  for (const [n, { at, ...person }] of [people[i % 4]!, people[(i + 1) % 4]!].entries())
    await make(ctx, 'customerContacts', {
      partyId: id,
      ...person,
      email: `${at}@${domain}`,
      phone: `050-555-0${300 + i * 2 + n}`,
    })
  await make(ctx, 'customerAddresses', {
    partyId: id,
    kind: 'delivery',
    street: streets[(i + 2) % streets.length],
    city,
    contact: people[1].name,
  })
  if (i % 2 === 0)
    await make(ctx, 'customerAddresses', {
      partyId: id,
      kind: 'site',
      name: 'הסניף החדש',
      street: streets[(i + 3) % streets.length],
      city,
    })
}
