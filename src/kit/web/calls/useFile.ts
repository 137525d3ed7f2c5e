import { useCallback } from 'react'
import type { Endpoint, InputOf } from '#kit/describe/endpoint.ts'
import { callFile, failureText } from './call.ts'
import { banner } from '../shell/banner.ts'
import { useWords } from '../words/words.tsx'

type FileOptions = NonNullable<Parameters<typeof callFile>[2]>

/**
 * `callFile` that says at the top of the page why a file did not come. Call it right in the press; the
 * promise ends when it came or not.
 */
export function useFile(): <E extends Endpoint<any, any>>(
  endpoint: E,
  input: InputOf<E>,
  options?: FileOptions,
) => Promise<void> {
  const t = useWords()
  return useCallback(
    (endpoint, input, options) =>
      callFile(endpoint, input, options).catch((e: unknown) => void banner.error(failureText(t, e))),
    [t],
  )
}
