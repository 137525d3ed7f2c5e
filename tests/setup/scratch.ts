import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const needed = 5 * 1024 ** 3

/**
 * A new folder for databases that nobody keeps: in memory where there is room for it, in the temporary folder
 * elsewhere. To copy a database is to write two thousand files, which took 700 ms on a disk and 40 in memory;
 * three hundred files of tests and some twenty journeys each ask for one.
 */
export function scratchFolder(prefix: string): string {
  clearUp()
  return mkdtempSync(join(hasRoom() && freemem() > needed ? memory : tmpdir(), `${prefix}${process.pid}-`))
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize > needed
  } catch {
    return false
  }
}

/** What a run left that was killed: in memory it would be missed. */
function clearUp(): void {
  let names: string[] = []
  try {
    names = readdirSync(memory)
  } catch {
    // Not every system has it.
  }
  for (const name of names) {
    const pid = /^pinkas-[a-z]+-(\d+)-/.exec(name)?.[1]
    if (!pid || isAlive(Number(pid))) continue
    try {
      rmSync(join(memory, name), { recursive: true, force: true })
    } catch {
      // Its own run, or another one, is removing it at this moment.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (e) {
    return (e as NodeJS.ErrnoException).code === 'EPERM'
  }
}
