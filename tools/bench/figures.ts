/** One line of the table: what was measured, what came out, and what it should be. */
export interface Figure {
  part: string
  name: string
  value: string
  goal?: string
  /** Whether the goal is met; left out when the figure has none, or when the goal is for another size. */
  ok?: boolean
}

/** The value below which that part of the sample lies; the sample need not be sorted. */
export function quantile(sample: readonly number[], part: number): number {
  const sorted = [...sample].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * part) - 1))] ?? Number.NaN
}

export const median = (sample: readonly number[]): number => quantile(sample, 0.5)

export const ms = (value: number): string =>
  `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en')} ms`
export const perCent = (part: number): string => `${(part * 100).toFixed(part < 0.1 ? 1 : 0)}%`
export const kB = (bytes: number): string => `${Math.round(bytes / 1000)} kB`
export const MB = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`

/** The figures as columns of text, one heading for each part. */
export function table(figures: readonly Figure[]): string {
  const width = Math.max(...figures.map((f) => f.name.length))
  const values = Math.max(...figures.map((f) => f.value.length))
  let part = ''
  return figures
    .map((f) => {
      const heading = f.part === part ? '' : `\n${f.part}\n`
      part = f.part
      const mark = f.ok === undefined ? ' ' : f.ok ? '✓' : '✗'
      return `${heading}  ${mark} ${f.name.padEnd(width)}  ${f.value.padEnd(values)}${f.goal ? `  goal ${f.goal}` : ''}`.trimEnd()
    })
    .join('\n')
}
