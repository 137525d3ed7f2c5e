import { implement } from '#kit/server/contract/implement.ts'
import { registerOwnReports, reportAsFile } from '#kit/server/described/serveReports.ts'
import { say } from '#kit/server/words.ts'
import * as calls from '../endpoints.ts'
import { factsFor } from '../rights.ts'
import '../rules.ts'
import { factsOfQuestion } from '../said.ts'
import { reportOf } from './asReport.ts'
import { change, drop, keep, listKept, ownReports } from './keep.ts'
import { readSaid } from './names.ts'
import { cellLines, checkQuestion, run } from './run.ts'

export { showQuestions } from './show.ts'

registerOwnReports(ownReports)

export const implementations = [
  implement(calls.runQuestion, (ctx, { question }) => run(ctx, question)),
  implement(calls.linesOfCell, (ctx, { question, after, ...cell }) => cellLines(ctx, question, cell, after)),
  implement(calls.understand, (ctx, { said }) => readSaid(ctx, said)),
  implement(calls.listQuestions, async (ctx) => ({ rows: await listKept(ctx), facts: factsFor(ctx.caller) })),
  implement(calls.keepQuestion, keep),
  implement(calls.changeQuestion, change),
  implement(calls.dropQuestion, drop),
  implement(calls.exportQuestion, async (ctx, { file, question, title }) => {
    checkQuestion(ctx, question)
    const name = title || say(ctx.caller.language, factsOfQuestion(question))
    return reportAsFile(
      ctx,
      reportOf(question, { name: 'question', title: name }),
      file.split('.')[1] as 'csv' | 'xlsx' | 'pdf',
      {},
    )
  }),
]
