// Reads what strangers made, apart from the thread that answers calls. Plain JavaScript, because a thread is
// started from a file: it takes the readers from the built server, or, where nothing is built (dev, tests),
// puts them together from their sources, which takes a third of the time of translating them file by file.
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parentPort, threadId, workerData } from 'node:worker_threads'

async function readersOf(file) {
  if (!file.endsWith('.ts')) return import(pathToFileURL(file))
  const { build, stop } = await import('esbuild')
  // Packages are found from where a file lies.
  const outfile = join(dirname(file), '../dist/readers', `${process.pid}-${threadId}.mjs`)
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  await stop()
  const read = await import(pathToFileURL(outfile))
  rmSync(outfile)
  return read
}

const ready = readersOf(workerData.readers)

/** What a refusal is made of; anything else is logged by its message. */
const refusalOf = (error) =>
  error?.name === 'Failure'
    ? { code: error.code, params: error.params, errors: error.errors, retryAfter: error.retryAfter }
    : { message: error?.stack ?? String(error) }

parentPort.on('message', async ({ id, reader, given, law }) => {
  try {
    const { readers, useEnteredLaw } = await ready
    // The law of a thread is that of the server: operators may have entered figures since the release.
    useEnteredLaw(law)
    const found = await readers[reader](given)
    // What is long arrives piece by piece: taking it in whole would itself keep everybody waiting.
    const isLong = typeof found?.[Symbol.asyncIterator] === 'function' || typeof found?.next === 'function'
    if (isLong) for await (const piece of found) parentPort.postMessage({ id, piece })
    parentPort.postMessage(isLong ? { id, result: null } : { id, result: found })
  } catch (error) {
    parentPort.postMessage({ id, refusal: refusalOf(error) })
  }
})
