import { fail } from '#kit/describe/errors.ts'
import { databaseFailures } from '#kit/server/contract/failures.ts'
import { implement } from '#kit/server/contract/implement.ts'
import { defineLongJob } from '#kit/server/work/progress.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { bytesOf, exporting, exportMade, exportNow, exportsMade, startExport } from './exports.ts'
import {
  checkAgain,
  checking,
  dropImport,
  importing,
  importsMade,
  startImport,
  uploadImport,
  wholeImport,
} from './imports.ts'
import { uniformBalances } from './reports/balances.ts'
import { uniformDocuments } from './reports/documents.ts'
import { parityFile } from './parityFile.ts'
import { runReportPdf } from './runReport.ts'

databaseFailures.PK282 = () => fail('uniform.notEmpty')

defineLongJob('uniform.export', exporting)
defineLongJob('uniform.check', checking)
defineLongJob('uniform.import', importing)

export { keepExport, uniformOf } from './exports.ts'

export const implementations = [
  implement(calls.uniformNow, (ctx, range) => exportNow(ctx, 'uniform', range)),
  implement(calls.hledgerNow, (ctx, range) => exportNow(ctx, 'hledger', range)),
  implement(calls.hashavshevetNow, (ctx, range) => exportNow(ctx, 'hashavshevet', range)),
  implement(calls.csvNow, (ctx, range) => exportNow(ctx, 'csv', range)),
  implement(calls.xlsxNow, (ctx, range) => exportNow(ctx, 'xlsx', range)),
  implement(calls.makeExport, startExport),
  implement(calls.listExports, exportsMade),
  implement(calls.getExport, (ctx, { id }) => exportMade(ctx, id)),
  implement(calls.exportBytes, (ctx, { id }) => bytesOf(ctx, id)),
  implement(calls.runReport, (ctx, { id }) => runReportPdf(ctx, id)),
  implement(calls.listUniformImports, importsMade),
  implement(calls.uploadUniform, (ctx, { name, bytes: file }) =>
    uploadImport(ctx, { name, path: file.path, size: file.size }),
  ),
  implement(calls.getUniformImport, (ctx, { id }) => wholeImport(ctx, id)),
  implement(calls.parityOfImport, parityFile),
  implement(calls.checkUniformImport, (ctx, { id, choices }) => checkAgain(ctx, id, choices)),
  implement(calls.runUniformImport, (ctx, { id, otherDealer }) => startImport(ctx, id, otherDealer)),
  implement(calls.dropUniformImport, (ctx, { id }) => dropImport(ctx, id)),
]

export const reports = [uniformBalances, uniformDocuments]

export const machines: Machines = {
  'uniform.export': { person: 'who started it' },
  'uniform.check': { person: 'who started it' },
  'uniform.import': { person: 'who started it' },
}
