import { useRouterState } from '@tanstack/react-router'
import type { Screen } from '#kit/describe/screen.ts'

export const screenOf = (matches: readonly { staticData: { screen?: Screen } }[]): Screen | undefined =>
  matches.at(-1)?.staticData.screen

/** The screen that is shown; undefined on the not-found page. */
export const useScreen = (): Screen | undefined =>
  useRouterState({ select: (state) => screenOf(state.matches) })
