import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Screen } from '#kit/describe/screen.ts'
import { featurePlaces } from '#kit/server/features.ts'
import { root } from '#kit/server/settings.ts'

/** Every screen of every feature, read from the lists the router itself reads. */
export async function allScreens(): Promise<Screen[]> {
  const screens: Screen[] = []
  for (const { path } of featurePlaces()) {
    const file = join(root, path, 'web/screens.ts')
    if (existsSync(file))
      screens.push(...((await import(pathToFileURL(file).href)) as { screens: Screen[] }).screens)
  }
  return screens
}

if (process.argv[1]?.endsWith('screens.ts')) {
  const { jumpsOver } = await import('#kit/web/routes/jumps.ts')
  const found = await allScreens()
  const screens = found.map(({ path, name, open, rule, users, module, feature }) => ({
    path,
    name,
    open,
    ...(rule ? { rule } : {}),
    ...(users ? { users } : {}),
    ...(module ? { module } : {}),
    feature,
  }))
  const redirects = jumpsOver(found.map(({ path }) => path)).map(({ path, leadsTo }) => ({ path, leadsTo }))
  if (process.argv.includes('--json')) console.log(JSON.stringify([...screens, ...redirects], null, 2))
  else {
    for (const s of screens)
      console.log(
        `${s.path.padEnd(44)} ${s.name.padEnd(24)} ${`${s.open}${s.rule ? ` · ${s.rule}` : ''}`.padEnd(28)} ${s.feature}`,
      )
    for (const { path, leadsTo } of redirects) console.log(`${path.padEnd(44)} -> ${leadsTo.join(' or ')}`)
  }
}
