import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { wings, type Wing } from '#kit/describe/wings.ts'
import { root } from './settings.ts'

export interface FeaturePlace {
  wing: Wing
  name: string
  /** From the root: `src/features/<wing>/<name>`. */
  path: string
}

/** Every feature's folder, by wing and name. */
export const featurePlaces = (): FeaturePlace[] =>
  wings.flatMap((wing) => {
    const folder = join(root, 'src/features', wing)
    const names = existsSync(folder)
      ? readdirSync(folder, { withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map(({ name }) => name)
          .sort()
      : []
    return names.map((name) => ({ wing, name, path: `src/features/${wing}/${name}` }))
  })
