import { sql } from 'kysely'
import type { App } from '#kit/server/context.ts'
import { everyRound } from '#kit/server/work/dueRows.ts'
import { implement } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { registerAttachable } from '#features/base/files/server/index.ts'
import { registerFollower } from '#features/registers/parties/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { changeMailAddress, getMailAddress } from './address.ts'
import { filePaper, readPaperAgain, rejectPaper, restorePaper, splitPaper } from './actions.ts'
import { startMailIn } from './mailIn.ts'
import { addPaper, getPaper, listPapers, paperPicture, paperThumbnail } from './papers.ts'
import { closeReader } from './reading/reader.ts'
import { readingRests, readSoon } from './reading.ts'

export { addPaper } from './papers.ts'

registerAttachable('papers', { see: 'expenses.enter', change: 'expenses.enter', table: 'captured_papers' })

// The next paper of a merged supplier is read as one of the supplier who stays.
registerFollower('supplier', async (ctx, keepId, gone) => {
  for (const table of ['paper_memories', 'captured_papers'])
    await sql`update ${sql.table(table)} set supplier_id = ${keepId} where company_id = ${ctx.companyId}
        and supplier_id = any(${[...gone]}::uuid[])`.execute(ctx.tx)
})

export const implementations = [
  // Before `{id}`, which would take this word for one.
  implement(calls.getMailAddress, getMailAddress),
  implement(calls.changeMailAddress, changeMailAddress),
  implement(calls.listPapers, listPapers),
  implement(calls.addPaper, addPaper),
  implement(calls.getPaper, getPaper),
  implement(calls.paperPicture, paperPicture),
  implement(calls.paperThumbnail, paperThumbnail),
  implement(calls.filePaper, filePaper),
  implement(calls.rejectPaper, rejectPaper),
  implement(calls.restorePaper, restorePaper),
  implement(calls.readPaperAgain, readPaperAgain),
  implement(calls.splitPaper, splitPaper),
]

export const jobs: Record<string, Job> = {
  // Only says that there is something: the inbox is the queue, and what is read already is not read again.
  'papers.read': async (ctx) => readSoon(ctx.app),
}

/** The mail receiver, and a look every minute for papers that a process left behind when it died. */
export async function start(app: App): Promise<() => Promise<void>> {
  const mail = await startMailIn(app).catch((e: Error) => {
    app.log.error({ err: e.message, port: app.settings.mailIn.port }, 'letters cannot be received')
    return undefined
  })
  readSoon(app)
  const stop = everyRound(app, 'reading what came in', 60_000, () => Promise.resolve(readSoon(app)))
  return async () => {
    await stop()
    await mail?.stop()
    await closeReader()
    await readingRests()
  }
}

export const machines: Machines = {
  'papers.read': { inside: 'reads what came in; a person approves it' },
  'timer index.ts': { inside: 'reads what came in; a person approves it' },
  'timer mailIn.ts': { inside: 'reads the certificate of incoming mail again' },
}
