import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** So many times slower than this machine is, a page works. */
export const slowed = Number(process.env.JOURNEY_SLOWED ?? 1)

const run = promisify(execFile)

/**
 * Pages work for so many milliseconds at a time, then they stand. Short enough that no wait of a journey
 * notices the single pause.
 */
const turn = 10
const lookAgain = 100

/** The processes of pages of the browsers that this process and its workers have started. */
async function pages(): Promise<number[]> {
  const { stdout } = await run('ps', ['-axo', 'pid=,ppid=,args='], { maxBuffer: 1 << 26 })
  const all = stdout.split('\n').flatMap((line) => {
    const [, pid, parent, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return pid && parent && args ? [{ pid: Number(pid), parent: Number(parent), args }] : []
  })
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]))
  const isOurs = (pid: number): boolean =>
    pid === process.pid || (parents.has(pid) && pid > 1 && isOurs(parents.get(pid)!))
  return all.filter(({ pid, args }) => args.includes('--type=renderer') && isOurs(pid)).map(({ pid }) => pid)
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms).unref())

/** Lets a process work one part of its time, until it is gone. */
async function brake(pid: number, times: number): Promise<void> {
  // What was measured counts, not what was asked for: a busy machine wakes us late.
  let owed = 0
  let last = performance.now()
  const gone = () => -last + (last = performance.now())
  try {
    for (;;) {
      await pause(turn)
      process.kill(pid, 'SIGSTOP')
      owed += gone() * (times - 1)
      await pause(owed)
      process.kill(pid, 'SIGCONT')
      owed -= gone()
    }
  } catch {
    // Its page was closed.
  }
}

/**
 * Slows every page so many times, as `JOURNEY_SLOWED=4` asks: it shows where a journey relies on speed that a poor
 * phone lacks. The browser's own throttling burns the time it takes away, from the server and the database too; here
 * the process of a page is paused for it, each at different moments. Called once, by the runner.
 */
export async function slowDown(times: number): Promise<never> {
  const braked = new Set<number>()
  for (;;) {
    for (const pid of await pages()) {
      if (braked.has(pid)) continue
      braked.add(pid)
      void brake(pid, times).then(() => braked.delete(pid))
    }
    await pause(lookAgain)
  }
}
