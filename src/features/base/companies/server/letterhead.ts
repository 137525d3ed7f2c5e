import type { Letterhead } from '#kit/server/described/exports/reportPdf.ts'
import { companyOf } from './company.ts'

/** The text opposite the title of a printed report. */
export const letterhead: Letterhead = async (ctx) => {
  const { name, taxId, accent } = await companyOf(ctx)
  return { name, lines: [taxId], accent }
}
