import type { Ctx } from '#kit/server/context.ts'
import { implement } from '#kit/server/contract/implement.ts'
import { create, serveResource } from '#kit/server/described/resources.ts'
import { registerAttachable } from '#features/base/files/server/index.ts'
import { doublesOf, twinsOf } from '#features/registers/parties/server/index.ts'
import * as calls from '../endpoints.ts'
import type { Supplier } from '../suppliers.ts'
import type { Certificate } from '../withholdingCertificates.ts'
import '../rules.ts'
import './events.ts'
import { activity } from './activity.ts'
import { servedCertificates, withholdingOn } from './certificates.ts'
import { changeBank } from './changeBank.ts'
import { figures } from './figures.ts'
import { merge } from './merge.ts'
import { served } from './served.ts'
import { applyAnswer, overview, queryFile, readAnswer } from './system1000.ts'

export type { Supplier } from '../suppliers.ts'
export { bankChangeOf, type BankChange } from './bank.ts'
export { withholdingOn } from './certificates.ts'
export { changeBank } from './changeBank.ts'

registerAttachable('suppliers', { see: 'suppliers.see', change: 'suppliers.change', table: 'parties' })

export const implementations = [
  implement(calls.findSupplierTwins, async (ctx, marks) => ({ rows: await twinsOf(ctx, marks, 'supplier') })),
  implement(calls.findSupplierDoubles, (ctx) => doublesOf(ctx, 'supplier')),
  implement(calls.supplierFigures, figures),
  ...serveResource(served),
  implement(calls.mergeSuppliers, merge),
  ...serveResource(servedCertificates),
  implement(calls.changeBank, changeBank),
  implement(calls.withholdingOfSupplier, async (ctx, { id, day = ctx.today }) => {
    const { rateBp, reason, certificateId, validTo, ceilingAgorot } = await withholdingOn(ctx, id, day)
    return { day, rateBp, reason, certificateId, validTo, ceilingAgorot }
  }),
  implement(calls.activityOfSupplier, activity),
  implement(calls.overview1000, overview),
  implement(calls.query1000, queryFile),
  implement(calls.readAnswer1000, readAnswer),
  implement(calls.applyAnswer1000, applyAnswer),
]

/** Makes a supplier on the way (from an expense, a scanned paper or the API). */
export const createSupplier = (ctx: Ctx, values: Record<string, unknown>): Promise<Supplier> =>
  create(ctx, served, values) as Promise<Supplier>

/** Writes a certificate down that came by another way than the screen. */
export const createCertificate = (ctx: Ctx, values: Record<string, unknown>): Promise<Certificate> =>
  create(ctx, servedCertificates, values) as Promise<Certificate>
