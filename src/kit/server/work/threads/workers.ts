import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { Worker, type ResourceLimits } from 'node:worker_threads'

/** Does one job at a time, apart from the thread that answers calls. */
export interface PoolWorker {
  send: (job: object) => void
  end: () => Promise<void>
  /** Holds the program open while it works; an idle one never keeps the program alive. */
  hold: (isBusy: boolean) => void
  /** What it takes now, where that can be told of it alone. */
  megabytes: () => number | undefined
}

export interface Answers {
  answered: (answer: object) => void
  gone: (why: Error) => void
}

export type StartWorker = (answers: Answers) => PoolWorker

/**
 * A thread from a plain .mjs file. `limits` bound its own heap; beyond them it ends, and the server lives.
 */
export const thread =
  (file: () => string, data: object, limits: ResourceLimits): StartWorker =>
  ({ answered, gone }) => {
    const worker = new Worker(file(), {
      workerData: data,
      // The loaders of tsx and vitest have no business in a plain .mjs file and cost a second to start.
      execArgv: [],
      resourceLimits: limits,
    })
    worker.on('message', answered)
    worker.on('error', gone)
    worker.on('exit', () => gone(new Error('the thread ended')))
    worker.unref()
    return {
      send: (job) => worker.postMessage(job),
      end: async () => void (await worker.terminate()),
      hold: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
      megabytes: () => undefined,
    }
  }

/** What a process needs of the surroundings to start; it gets none of the server's secrets. */
const surroundings = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'TEMP', 'SystemRoot'] as const

/**
 * A process from a plain .mjs file, for work in native code: that can neither be stopped in a thread nor does
 * it give its memory back when the thread ends, and of a process both are certain.
 */
export const ownProcess =
  (file: () => string, data: object): StartWorker =>
  ({ answered, gone }) => {
    const child = fork(file(), [JSON.stringify(data)], {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: Object.fromEntries(
        surroundings.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
      ),
    })
    child.on('message', answered)
    child.on('error', gone)
    yieldTo(child.pid)
    const ended = new Promise<void>((done) =>
      child.on('exit', () => {
        gone(new Error('the process ended'))
        done()
      }),
    )
    const hold = (isBusy: boolean) => {
      if (isBusy) child.ref()
      else child.unref()
      if (isBusy) child.channel?.ref()
      else child.channel?.unref()
    }
    hold(false)
    return {
      send: (job) => void child.send(job),
      end: () => {
        child.ref()
        child.kill('SIGKILL')
        return ended
      },
      hold,
      megabytes: () => residentOf(child.pid),
    }
  }

/** Where the processor is full, calls come before what is typeset beside them. */
function yieldTo(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, 5)
  } catch {
    // It ended already, or the system has no priorities.
  }
}

/** Only Linux tells it of another process. */
function residentOf(pid: number | undefined): number | undefined {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
  } catch {
    return undefined
  }
}
