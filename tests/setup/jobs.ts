import { afterEach } from 'vitest'

// A test that fails because of a job that did not end as it should says why the job failed.
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  const failed = await globalThis.failedJobs?.().catch(() => [])
  if (failed?.length) console.error(`Jobs that failed, at ${task.name}:\n${failed.join('\n')}`)
})
