import { dayInJerusalem } from '#domain/day.ts'
import { asCaller, systemCaller, withKnownId, type App, type Ctx } from '#kit/server/context.ts'
import { allImplementations, settled, type Implementation } from '#kit/server/contract/implement.ts'
import { exampleFor } from '#kit/server/openapi/examples.ts'
import { sampleId, withSamples } from '#kit/server/openapi/samples.ts'
import { steps, type Step } from './steps.ts'

/** An id of another number was the record's. */
class OtherId extends Error {
  readonly at: number
  constructor(at: number) {
    super(`the record has the id number ${at} of its call`)
    this.at = at
  }
}

const idIn = (answer: unknown, at: string): unknown =>
  at
    .split('.')
    .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], answer)

/**
 * Makes the records that the examples of the documentation name, by the calls that programs make. What a business of
 * this kind cannot have is left out.
 */
export async function makeSamples(app: App, companyId: string, userId: string): Promise<string[]> {
  const calls = new Map(allImplementations().map((one) => [one.endpoint.name, one]))
  const caller = systemCaller(companyId, userId)
  const within = <T>(work: (ctx: Ctx) => Promise<T>) => asCaller(app, caller, '', work)
  const refused: string[] = []
  for (const step of steps) {
    try {
      await makeOne(within, { app, caller, companyId }, calls.get(step.call), step)
    } catch (e) {
      refused.push(`${step.record ?? ''} ${step.call}: ${describe(e)}`)
    }
  }
  if (refused.length) app.log.info({ refused }, 'records that this test business does not have')
  return refused
}

const describe = (e: unknown): string => {
  const { message, code, errors } = e as { message?: string; code?: string; errors?: unknown }
  return `${code ?? ''} ${message ?? ''} ${errors ? JSON.stringify(errors) : ''}`
}

async function makeOne(
  within: <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>,
  outside: { app: App; caller: Ctx['caller']; companyId: string },
  implementation: Implementation | undefined,
  { record, call, input: given = {}, id: at = 'id', nth = 0, isDone }: Step,
): Promise<void> {
  if (!implementation?.inside) throw new Error('no such call')
  const { endpoint, inside, isOutside } = implementation
  const today = dayInJerusalem(outside.app.now())
  const {
    externalId: _,
    metadata: __,
    clientKey: ___,
    ...example
  } = isDone ? {} : exampleFor(endpoint, today)
  const merged = withSamples({ ...example, ...given }, call.split('.')[0]!, { today })
  const parsed = endpoint.input.parse(merged) as never
  const target = sampleId(record ?? '')
  const run = (number: number) => async () => {
    const known = async (ctx: unknown) => {
      const [answer, made] = await withKnownId(target, record ? number : -1, async () =>
        settled(await inside(ctx as never, parsed)),
      )
      if (record && idIn(answer, at) !== target) throw new OtherId(made.indexOf(String(idIn(answer, at))))
      return answer
    }
    // What was done outside a transaction is not done again.
    return isOutside ? known({ ...outside, within }) : within(known)
  }
  try {
    await run(nth)()
  } catch (e) {
    if (!(e instanceof OtherId) || e.at < 0 || isOutside) throw e
    await run(e.at)()
  }
}
