import { describe, expect, it } from 'vitest'

// The web half compiles without Node's types, so the one thing this test needs of Node is typed here.
type Node = {
  process: { getBuiltinModule: (name: 'fs') => { readFileSync: (path: URL, encoding: 'utf8') => string } }
}
const { readFileSync } = (globalThis as unknown as Node).process.getBuiltinModule('fs')

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

/** The two values of each colour token; one that does not change has the same twice. */
const tokens = new Map(
  [...css.matchAll(/--([\w-]+):\s*(?:light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)|(#[0-9a-f]{6}));/g)].map(
    (found) => [found[1]!, [found[2] ?? found[4]!, found[3] ?? found[4]!] as const],
  ),
)

const luminance = (hex: string) => {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

const ratio = (one: string, other: string) => {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** What is read: at least 4.5 to 1. */
const read: Record<string, string[]> = {
  ink: [
    'canvas',
    'surface',
    'sunken',
    'raised',
    'hover',
    'pressed',
    'accent-soft',
    'accent-soft-hover',
    'danger-soft',
    'warn-soft',
    'info-soft',
    'neutral-soft',
  ],
  'ink-2': [
    'canvas',
    'surface',
    'sunken',
    'raised',
    'hover',
    'pressed',
    'accent-soft',
    'accent-soft-hover',
    'neutral-soft',
  ],
  'ink-3': ['canvas', 'surface', 'sunken', 'raised', 'hover', 'accent-soft'],
  'accent-text': ['canvas', 'surface', 'sunken', 'raised', 'hover', 'accent-soft', 'accent-soft-hover'],
  danger: ['canvas', 'surface', 'raised', 'hover', 'accent-soft', 'accent-soft-hover', 'danger-soft'],
  warn: ['canvas', 'surface', 'hover', 'accent-soft', 'warn-soft'],
  info: ['canvas', 'surface', 'hover', 'accent-soft', 'info-soft'],
  'on-accent': ['accent', 'accent-hover', 'accent-press', 'danger-fill'],
  'on-inverse': ['inverse'],
  'on-inverse-2': ['inverse'],
  'inverse-accent': ['inverse'],
  'paper-ink': ['paper'],
  'paper-ink-2': ['paper'],
}

/** What is seen: borders of controls, focus, charts; at least 3 to 1. */
const seen: Record<string, string[]> = {
  edge: ['canvas', 'surface', 'raised'],
  focus: ['canvas', 'surface', 'sunken', 'accent-soft'],
  accent: ['surface'],
  'warn-line': ['surface'],
  ...Object.fromEntries(
    [...[1, 2, 3, 4, 5, 6].map((one) => `chart-${one}`), ...[0, 1, 2, 3, 4].map((one) => `age-${one}`)].map(
      (name) => [name, ['surface']],
    ),
  ),
}

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('contrast, %s', (_, face) => {
  const check = (pairs: Record<string, string[]>, least: number) => {
    for (const [ink, grounds] of Object.entries(pairs))
      it.each(grounds)(`${ink} on %s`, (ground) => {
        expect(ratio(tokens.get(ink)![face], tokens.get(ground)![face])).toBeGreaterThanOrEqual(least)
      })
  }
  check(read, 4.5)
  check(seen, 3)
})
