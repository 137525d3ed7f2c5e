import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** What a run of Vitest came to, for tools/suite: written as JSON to the file that TEST_REPORT names. */
export interface UnitReport {
  files: { name: string; seconds: number }[]
  passed: number
  failed: { name: string; message: string }[]
  skipped: { name: string; reason: string }[]
}

/** The message of an error with the difference it found: a list that differs is otherwise only said to differ. */
const explained = ({ message, diff }: { message: string; diff?: string | undefined }): string =>
  diff ? `${message}\n${diff}` : message

export default class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message: string }[]): void {
    const report: UnitReport = { files: [], passed: 0, failed: [], skipped: [] }
    for (const module of modules) {
      const name = relative(process.cwd(), module.moduleId)
      const { duration, collectDuration, setupDuration } = module.diagnostic()
      report.files.push({
        name,
        seconds: Math.round((duration + collectDuration + setupDuration) / 100) / 10,
      })
      const before = report.failed.length
      for (const test of module.children.allTests()) {
        const result = test.result()
        const title = `${name}: ${test.fullName}`
        if (result.state === 'passed') report.passed++
        else if (result.state === 'failed')
          report.failed.push({ name: title, message: result.errors.map(explained).join('\n') })
        else report.skipped.push({ name: title, reason: (result.state === 'skipped' && result.note) || '' })
      }
      // A file that could not be loaded, or whose hooks failed, has no failed test.
      if (!module.ok() && report.failed.length === before) {
        const errors = [
          ...module.errors(),
          ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
        ]
        report.failed.push({ name, message: errors.map(({ message }) => message).join('\n') })
      }
    }
    for (const { message } of unhandled) report.failed.push({ name: 'an unhandled error', message })
    if (process.env.TEST_REPORT) writeFileSync(process.env.TEST_REPORT, JSON.stringify(report))
  }
}
