import type { App } from '#kit/server/context.ts'
import { implement, implementOutside } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import './leaves.ts'
import { eventOf } from './event.ts'
import { eventRows } from './examples.ts'
import { changeWebhook, createWebhook, dropWebhook, rotateSecret, webhooks } from './keep.ts'
import { deliveries, deliveryOf, resend, sendTest } from './log.ts'
import { mail } from './mails.ts'
import { startSender } from './run.ts'

export { showWebhooks } from './show.ts'
export { checkUrl } from './address.ts'
export { openLine } from './post.ts'
export { tellOfPayment } from './ofPayments.ts'

export const implementations = [
  implement(calls.listWebhooks, async (ctx) => ({ rows: await webhooks(ctx) })),
  // Fixed words of the path stand before `{id}`.
  implement(calls.listEvents, async (ctx) => ({ rows: eventRows(ctx) })),
  implementOutside(calls.getEvent, eventOf),
  implement(calls.createWebhook, createWebhook),
  implement(calls.changeWebhook, changeWebhook),
  implement(calls.dropWebhook, async (ctx, { id }) => {
    await dropWebhook(ctx, id)
    return { done: true as const }
  }),
  implement(calls.rotateSecret, rotateSecret),
  implement(calls.testWebhook, (ctx, { id }) => sendTest(ctx, id)),
  implement(calls.listDeliveries, deliveries),
  implement(calls.getDelivery, deliveryOf),
  implement(calls.resend, resend),
]

export const jobs: Record<string, Job> = { 'webhooks.mail': mail }

/** Every process sends; an address is one's at a time. */
export async function start(app: App): Promise<() => Promise<void>> {
  const sender = startSender(app)
  return sender.stop
}

export const machines: Machines = {
  'webhooks.mail': { inside: 'notifies whose address was turned off' },
  'timer run.ts': [
    { inside: 'keeps the lease of a delivery' },
    { person: 'who registered the address, with the key that was used, at each delivery' },
  ],
}
