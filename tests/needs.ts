import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * The reason to skip a test on a machine that lacks one of these programs, for `skip(…)` of its context; undefined
 * where all are there. Programs that `npm test` installs or asks for (tools/programs.ts) are never a reason.
 */
export function missing(...programs: string[]): string | undefined {
  const absent = programs.filter(
    (name) => !(process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name))),
  )
  return absent.length > 0 ? `${absent.join(', ')} is not installed` : undefined
}
