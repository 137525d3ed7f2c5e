import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { App, Ctx } from '#kit/server/context.ts'
import { readIn } from '#kit/server/work/threads/read.ts'
import { everyRound } from '#kit/server/work/dueRows.ts'
import { implement, type FileAnswer } from '#kit/server/contract/implement.ts'
import type { Job, SystemJob } from '#kit/server/work/jobs.ts'
import { keepServing } from '#kit/server/work/schedules.ts'
import { root } from '#kit/server/settings.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { answer, atDesk, change, deskList, deskOne, isDesk, planned, take } from './desk.ts'
import { addFile, fileIn } from './files.ts'
import { givenUpMail, listGivenUp, retry, tellOperators } from './givenUp.ts'
import { dueAnswers } from './later.ts'
import { lapseJob, mailJob } from './mails.ts'
import type { readers } from './readers.ts'
import { answerByAsker, ask, close, listMine, oneMine } from './tickets.ts'

import { showTickets as show } from './demo.ts'

/** Of the program that runs. */
const version = String(
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version,
)

export const showTickets = (ctx: Ctx): Promise<void> => show(ctx, version)

async function pictureOf(ctx: Ctx, ticketId: string): Promise<FileAnswer> {
  const { rows } = await sql<{
    bytes: Buffer
  }>`select bytes from ticket_pictures where company_id = ${ctx.companyId}
      and ticket_id = ${ticketId}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return { bytes: rows[0].bytes, mime: 'image/jpeg', name: 'page.jpg', inline: true }
}

export const implementations = [
  // Fixed words of the path stand before `{id}`.
  implement(calls.supportFacts, async (ctx) => ({
    isDesk: await isDesk(ctx),
    isAnswered: ctx.app.settings.support.operators.length > 0,
    version,
  })),
  implement(calls.deskTickets, deskList),
  implement(calls.deskTicket, deskOne),
  implement(calls.deskAnswer, answer),
  implement(calls.deskPlanned, planned),
  implement(calls.deskChange, change),
  implement(calls.deskTake, take),
  implement(calls.deskPicture, (ctx, { number }) =>
    atDesk(ctx, number, (inside, { id }) => pictureOf(inside, id)),
  ),
  implement(calls.deskFile, (ctx, { number, fileId }) =>
    atDesk(ctx, number, (inside, { id }) => fileIn(inside, id, fileId)),
  ),
  implement(calls.deskGivenUp, listGivenUp),
  implement(calls.deskRetry, retry),
  implement(calls.listTickets, listMine),
  implement(calls.askSupport, (ctx, given) => {
    if (!ctx.app.settings.support.operators.length) throw fail('support.nobody')
    return ask(ctx, given, version)
  }),
  implement(calls.getTicket, (ctx, { id }) => oneMine(ctx, id)),
  implement(calls.addTicketPicture, async (ctx, { id, bytes }) => {
    await oneMine(ctx, id)
    const picture = await readIn<typeof readers>()('support.picture', { bytes })
    await sql`insert into ticket_pictures (company_id, ticket_id, width, height, bytes)
      values (${ctx.companyId}, ${id}, ${picture.width}, ${picture.height}, ${Buffer.from(picture.bytes)})
      on conflict do nothing`.execute(ctx.tx)
    return { done: true as const }
  }),
  implement(calls.ticketPicture, async (ctx, { id }) => {
    await oneMine(ctx, id)
    return pictureOf(ctx, id)
  }),
  implement(calls.addTicketFile, async (ctx, { id, name, bytes }) => {
    await oneMine(ctx, id)
    await addFile(ctx, id, { name, bytes })
    return oneMine(ctx, id)
  }),
  implement(calls.ticketFile, async (ctx, { id, fileId }) => {
    await oneMine(ctx, id)
    return fileIn(ctx, id, fileId)
  }),
  implement(calls.answerTicket, async (ctx, { id, text }) => {
    await oneMine(ctx, id)
    await answerByAsker(ctx, id, { userId: ctx.caller.userId, text })
    return oneMine(ctx, id)
  }),
  implement(calls.closeTicket, (ctx, { id }) => close(ctx, id)),
]

export const jobs: Record<string, Job> = { 'support.mail': mailJob, 'support.lapse': lapseJob }

export const systemJobs: Record<string, SystemJob> = { 'support.givenUpMail': givenUpMail }

/** Answers that are due, and every ten minutes a look at what was given up. */
export async function start(app: App): Promise<() => Promise<void>> {
  const stops = [
    await keepServing(app, dueAnswers),
    everyRound(app, 'notifying operators', 10 * 60_000, () => tellOperators(app)),
  ]
  return async () => void (await Promise.all(stops.map((stop) => stop())))
}

export const machines: Machines = {
  'support.mail': { completes: 'a letter of the support desk that a person wrote' },
  'support.givenUpMail': { inside: 'notifies the operators of the installation' },
  'timer index.ts': { inside: 'notifies the operators of the installation of what was given up' },
  'support.lapse': { inside: 'a request that nobody answered is closed' },
  'schedule dueAnswers': { completes: 'an answer that a person wrote to be sent at this time' },
}
