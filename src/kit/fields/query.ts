import { z } from 'zod'

/*
 * Values of addresses arrive as text. Programs write a flag as `true`, `True` or `1`, whichever their language makes of
 * it; any other text is refused at its name, since a guess would answer the opposite rows.
 */

const yes = new Set(['true', 'True', '1'])
const no = new Set(['false', 'False', '0'])

/** The flag that a text of an address says; undefined for any other text. */
export const flagOfText = (text: string): boolean | undefined =>
  yes.has(text) ? true : no.has(text) ? false : undefined

/** The number that a text of an address says, in decimal digits; undefined for any other text. */
export const numberOfText = (text: string): number | undefined =>
  /^-?\d{1,16}(\.\d{1,16})?$/.test(text) ? Number(text) : undefined

/** A flag in an address, as the handler reads it: 'true' or 'false'. */
export const queryFlag = z
  .union([z.boolean(), z.enum(['true', 'false', 'True', 'False', '1', '0'])], { error: 'fields.flag' })
  .transform((value): 'true' | 'false' => (flagOfText(String(value)) ? 'true' : 'false'))

/** A flag in an address, as a boolean. */
export const queryBoolean = queryFlag.transform((value) => value === 'true')

/** A number in an address; `number` bounds it. Text that is no decimal number is refused. */
export const queryNumber = <S extends z.ZodType<number, number>>(
  number: S,
): z.ZodType<z.output<S>, number | string> =>
  z.preprocess((value, ctx) => {
    if (typeof value !== 'string') return value
    const said = numberOfText(value)
    if (said === undefined) {
      ctx.issues.push({ code: 'custom', message: 'fields.number', input: value })
      return z.NEVER
    }
    return said
  }, number) as unknown as z.ZodType<z.output<S>, number | string>
