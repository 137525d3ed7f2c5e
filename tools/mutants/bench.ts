import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { createVitest, BaseSequencer, ForksPoolWorker, type TestSpecification } from 'vitest/node'
import { root } from '#kit/server/settings.ts'

/** A file with other contents than the disk has: how the tests see a broken rule. */
export interface Broken {
  file: string
  code: string
}

export interface Verdict {
  passes: boolean
  /** The first test that failed, or why nothing could be run. */
  by: string
  /** The file of that test. */
  file?: string
}

/** Which sources the threads for untrusted files are built from; they do not read through vite. */
const readersSource = join(root, 'src/readers.ts')
const readersNamedIn = join(root, 'src/kit/server/work/threads/read.ts')
const builtReaders = join(root, 'dist/readers', `mutant-${process.pid}.mjs`)

/**
 * One vitest process with one database for all runs. Starting either again for each mutant would take longer
 * than the tests themselves.
 */
export async function openBench() {
  let broken: Broken | undefined
  let inReaders = false
  let order = new Map<string, number>()
  const running = new Set<Fork>()

  /** A test process that can be ended from outside: a mutant may loop for ever. */
  class Fork extends ForksPoolWorker {
    override async start() {
      await super.start()
      running.add(this)
    }
    override async stop() {
      running.delete(this)
      await super.stop()
    }
    end() {
      ;(this as unknown as { _fork?: { kill: (signal: 'SIGKILL') => void } })._fork?.kill('SIGKILL')
    }
  }

  /** Nearest first, as asked for; vitest would begin with the longest. */
  class AsAsked extends BaseSequencer {
    override async sort(files: TestSpecification[]) {
      return files.toSorted((a, b) => (order.get(a.moduleId) ?? 0) - (order.get(b.moduleId) ?? 0))
    }
  }

  const vitest = await createVitest(
    'test',
    {
      watch: false,
      root,
      reporters: [{}],
      bail: 1,
      maxWorkers: 1,
      isolate: false,
      // A cached module would be the unbroken one.
      experimental: { fsModuleCache: false },
      sequence: { sequencer: AsAsked },
      pool: { name: 'forks', createPoolWorker: (options) => new Fork(options) },
      silent: true,
      onConsoleLog: () => false,
    },
    {
      plugins: [
        {
          name: 'mutant',
          enforce: 'pre',
          load: (id) => (broken && id.split('?')[0] === broken.file ? broken.code : undefined),
          transform: (code, id) =>
            inReaders && id.split('?')[0] === readersNamedIn
              ? code.replace("join(checkoutRoot, 'src/readers.ts')", () => JSON.stringify(builtReaders))
              : undefined,
        },
      ],
    },
  )
  const all = await vitest.globTestSpecifications()
  // Interrupted, it takes its database with it.
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.on(signal, () => void vitest.close().finally(() => process.exit(130)))

  async function buildReaders({ file, code }: Broken) {
    mkdirSync(join(root, 'dist/readers'), { recursive: true })
    await build({
      entryPoints: [readersSource],
      outfile: builtReaders,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
      plugins: [
        {
          name: 'mutant',
          setup: (on) =>
            on.onLoad({ filter: /\.ts$/ }, ({ path }) =>
              path === file ? { contents: code, loader: 'ts' } : undefined,
            ),
        },
      ],
    })
  }

  return {
    /** The test files there are, by absolute path. */
    files: all.map(({ moduleId }) => moduleId),

    /** Runs the tests with the broken file in place; `viaReaders` also where threads read untrusted files. */
    async withBroken<T>(one: Broken, viaReaders: boolean, work: () => Promise<T>): Promise<T> {
      broken = one
      inReaders = viaReaders
      if (inReaders) await buildReaders(one)
      vitest.invalidateFile(one.file)
      if (inReaders) vitest.invalidateFile(readersNamedIn)
      try {
        return await work()
      } finally {
        broken = undefined
        vitest.invalidateFile(one.file)
        if (inReaders) {
          vitest.invalidateFile(readersNamedIn)
          rmSync(builtReaders, { force: true })
        }
        inReaders = false
      }
    },

    /** Runs test files in this order until one fails. What takes longer than the limit has failed. */
    async run(
      tests: readonly string[],
      { name, seconds }: { name?: string; seconds: number },
    ): Promise<Verdict> {
      if (name) vitest.setGlobalTestNamePattern(name)
      else vitest.resetGlobalTestNamePattern()
      order = new Map(tests.map((file, n) => [file, n]))
      const specs = all.filter(({ moduleId }) => order.has(moduleId))
      if (specs.length < order.size) throw new Error(`no test file: ${tests.join(', ')}`)
      vitest.state.filesMap.clear()
      let isLate = false
      const limit = setTimeout(() => {
        isLate = true
        for (const fork of running) fork.end()
      }, seconds * 1000)
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specs)
      clearTimeout(limit)
      vitest.state.errorsSet.clear()
      if (isLate) return { passes: false, by: `no end after ${seconds} s` }
      const failed = testModules.find((module) => !module.ok())
      const test = failed && [...failed.children.allTests('failed')][0]
      if (failed)
        return { passes: false, by: test?.fullName ?? 'the file could not be run', file: failed.moduleId }
      if (unhandledErrors.length) return { passes: false, by: String((unhandledErrors[0] as Error)?.message) }
      return { passes: true, by: '' }
    },

    close: () => vitest.close(),
  }
}
