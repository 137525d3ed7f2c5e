import { areaOf } from '#kit/describe/area.ts'
import { allRules, isOff } from '#kit/describe/session.ts'
import type { Caller } from '#kit/server/context.ts'
import { allImplementations } from '#kit/server/contract/implement.ts'
import { allReports } from '#kit/server/described/serveReports.ts'

/**
 * Every declared rule with what it opens, read from the calls and reports themselves, so that it cannot be
 * out of date. What the business does not use is no right to give; a right given before stays with who has
 * it.
 */
export function rulesTable(caller: Pick<Caller, 'areasOff'>) {
  const calls = allImplementations().map(({ endpoint }) => endpoint)
  const reports = allReports()
  const areas = new Map<string, ReturnType<typeof ruleOf>[]>()
  const ruleOf = (name: string, number: number) => ({
    number,
    name,
    calls: calls
      .filter(({ access }) => typeof access === 'object' && access.rule === name)
      .map(({ name: call, method, path, summary }) => ({ name: call, method, path, summary })),
    reports: reports
      .filter(({ allow }) => allow === name)
      .map(({ feature, name: report, path }) => ({ words: `${feature}.reports.${report}`, path })),
  })
  for (const [name, number] of [...allRules()].sort((a, b) => a[1] - b[1])) {
    if (isOff(caller, areaOf(name))) continue
    const area = name.split('.')[0]!
    areas.set(area, [...(areas.get(area) ?? []), ruleOf(name, number)])
  }
  return { areas: [...areas].map(([name, rules]) => ({ name, rules })) }
}
