import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Screen } from '#kit/describe/screen.ts'
import { featurePlaces } from '#kit/server/house.ts'
import { root } from '#kit/server/settings.ts'

/** Every screen of every feature, read from the lists the router itself reads. */
export async function allScreens(): Promise<Screen[]> {
  const screens: Screen[] = []
  for (const { path } of featurePlaces()) {
    const file = join(root, path, 'web/screens.ts')
    if (existsSync(file)) screens.push(...((await import(pathToFileURL(file).href)) as { screens: Screen[] }).screens)
  }
  return screens
}

if (process.argv[1]?.endsWith('screens.ts')) {
  const screens = (await allScreens()).map(({ path, name, open, rule, users, module, feature }) => ({
    path,
    name,
    open,
    ...(rule ? { rule } : {}),
    ...(users ? { users } : {}),
    ...(module ? { module } : {}),
    feature,
  }))
  if (process.argv.includes('--json')) console.log(JSON.stringify(screens, null, 2))
  else
    for (const s of screens)
      console.log(`${s.path.padEnd(44)} ${s.name.padEnd(24)} ${`${s.open}${s.rule ? ` · ${s.rule}` : ''}`.padEnd(28)} ${s.feature}`)
}
