import {
  notifyManager,
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
  type Query,
  type QueryFilters,
  type UseMutationOptions,
  type UseQueryOptions,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Endpoint, InputOf, OutputOf } from '#kit/describe/endpoint.ts'
import { earlyAnswer } from './earlyAnswers.ts'
import { CallFailure, makeCaller, networkErrorCode, type CallOptions } from './caller.ts'
import { findElsewhere, session } from '../session/session.ts'
import { store } from '../session/storage.ts'
import { useWords, wordIfAny, type Words } from '../words/words.tsx'
import { needWords, wordingNow } from '../words/wording.ts'

export { CallFailure, isNetworkError, type CallOptions } from './caller.ts'

type Any = Endpoint<any, any>

/** What the frame does about calls that fail for everyone; set once when the application starts. */
export const callEvents = {
  sessionEnded: (_token: string): void => undefined,
  networkError: (): void => undefined,
  rightsSeen: (_mark: string): void => undefined,
}

/** Made once and kept; every sign-in of this browser carries it. */
function deviceName(): string {
  const kept = store.get('device')
  if (kept) return kept
  const made = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  store.set('device', made)
  return made
}

const caller = makeCaller({
  fetch: (url, init) => earlyAnswer(String(url), init ?? {}) ?? fetch(url, init),
  wait: (ms) => new Promise((done) => setTimeout(done, ms)),
  // randomUUID is missing where a page is served without TLS from another machine.
  newKey: () =>
    globalThis.crypto.randomUUID?.() ??
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
      '',
    ),
  // The page comes from the server it calls; on localhost the development server hands calls on to the local
  // one.
  base: () => '',
  device: deviceName,
  token: () => session()?.UserKey,
  company: () => session()?.CompanyKey,
  onOtherCompany: findElsewhere,
  language: () => wordingNow().lang,
  onSessionEnded: (token) => callEvents.sessionEnded(token),
  onNetworkError: () => callEvents.networkError(),
  onRights: (mark) => callEvents.rightsSeen(mark),
  beforeRefusal: wordsOfRefusal,
})

const longestWaitMs = 3000

/**
 * The words of refusals are loaded lazily; a refusal before they are here waits for them a moment, then is shown in
 * the server's words.
 */
async function wordsOfRefusal(failure: CallFailure): Promise<void> {
  const { dic } = wordingNow()
  const known = [failure.code, ...failure.errors.map(({ code }) => code)].every(
    (code) => dic && `errors.${code}` in dic,
  )
  if (!known)
    await Promise.race([
      needWords(['errors']).catch(() => undefined),
      new Promise<void>((done) => setTimeout(done, longestWaitMs)),
    ])
}

/**
 * Calls an endpoint: `await call(issueDocument, { id })`. Repeats what failed for want of an answer (twice, 1
 * s apart), with one idempotency key for all tries; throws CallFailure.
 */
export const call: <E extends Any>(
  endpoint: E,
  input: InputOf<E>,
  options?: CallOptions,
) => Promise<OutputOf<E>> = caller.call

/** The bytes of a file endpoint, for a preview; `callFile` saves or shows them. */
export const callBytes: <E extends Any>(
  endpoint: E,
  input: InputOf<E>,
  options?: CallOptions,
) => Promise<{ blob: Blob; name: string }> = caller.callBytes

/**
 * Fetches a file with the token in its header (never in an address) and saves it; `open` shows it in a new
 * tab. Call it right in the press: the tab is opened before the bytes come, or the browser would block it.
 */
export async function callFile<E extends Any>(
  endpoint: E,
  input: InputOf<E>,
  options: CallOptions & { open?: boolean; name?: string } = {},
): Promise<void> {
  const tab = options.open ? window.open('', '_blank') : null
  try {
    const { blob, name } = await caller.callBytes(endpoint, input, options)
    const url = URL.createObjectURL(blob)
    // Long enough for any viewer to have read it.
    setTimeout(() => URL.revokeObjectURL(url), 120_000)
    if (tab) tab.location.href = url
    else saveAs(url, options.name ?? name)
  } catch (e) {
    tab?.close()
    throw e
  }
}

function saveAs(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
}

// By default subscribers learn of a change in a later task, after React has set a controlled box back to its old
// state: a box that was just ticked flickers. A microtask still batches, and runs before that.
notifyManager.setScheduler(queueMicrotask)

/**
 * A first load that is under way began before the change that makes its answer stale. TanStack Query keeps such a
 * load, whose old answer would then stay on screen; here it is cancelled and begins again.
 */
class AnswersClient extends QueryClient {
  override invalidateQueries(
    ...[filters, options]: Parameters<QueryClient['invalidateQueries']>
  ): Promise<void> {
    const isFirstLoad = (query: Query): boolean =>
      query.state.data === undefined && query.state.fetchStatus === 'fetching' && query.isActive()
    for (const query of this.getQueryCache().findAll(filters as QueryFilters))
      if (isFirstLoad(query)) void query.cancel({ revert: true, silent: true })
    return super.invalidateQueries(filters, options)
  }
}

/**
 * Answers are kept and shown at once, and refreshed behind. The calls repeat themselves, so nothing repeats
 * them again here; without a network what is kept stays on screen.
 */
export const queryClient = new AnswersClient({
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 15_000,
      gcTime: 30 * 60_000,
      networkMode: 'offlineFirst',
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/**
 * The key an answer is kept under; `queryClient.invalidateQueries({ queryKey: keyOf(listX) })` refreshes
 * every input of a call.
 */
export const keyOf = <E extends Any>(endpoint: E, input?: InputOf<E>): unknown[] =>
  input === undefined ? [endpoint.name] : [endpoint.name, input]

/**
 * Replaces the cached answer by the one of an action. A fetch of the same answer that is under way began before the
 * action and is cancelled, or it would replace the new answer by the old one.
 */
export function putAnswer<E extends Any>(endpoint: E, input: InputOf<E>, answer: OutputOf<E>): void {
  const queryKey = keyOf(endpoint, input)
  // The revert happens inside this call, before the answer is put.
  void queryClient.cancelQueries({ queryKey, exact: true })
  queryClient.setQueryData(queryKey, answer)
}

/**
 * Changes a kept answer in part. A fetch under way is cancelled as in `putAnswer`; because it may have carried
 * the changes of others, it is repeated, or with `again: false` only marked as due: for changes that the server
 * has yet to confirm.
 */
export function changeAnswer<E extends Any>(
  endpoint: E,
  input: InputOf<E>,
  change: (before: OutputOf<E>) => OutputOf<E>,
  { again = true }: { again?: boolean } = {},
): void {
  const queryKey = keyOf(endpoint, input)
  const state = queryClient.getQueryState<OutputOf<E>>(queryKey)
  // Nothing is kept yet: the whole arrives with the load that is under way, which begins again.
  if (state?.data === undefined) {
    if (again) void queryClient.invalidateQueries({ queryKey, exact: true })
    return
  }
  const isUnderWay = state.fetchStatus === 'fetching'
  void queryClient.cancelQueries({ queryKey, exact: true })
  queryClient.setQueryData<OutputOf<E>>(queryKey, (before) => before && change(before))
  if (isUnderWay)
    void queryClient.invalidateQueries({ queryKey, exact: true, refetchType: again ? 'active' : 'none' })
}

type Asking<E extends Any, T> = Omit<UseQueryOptions<OutputOf<E>, CallFailure, T>, 'queryKey' | 'queryFn'>

/** Reads: `const { data } = useCall(listSessions, {})`. Kept per endpoint and input. */
export function useCall<E extends Any, T = OutputOf<E>>(
  endpoint: E,
  input: InputOf<E>,
  options: Asking<E, T> = {},
) {
  return useQuery<OutputOf<E>, CallFailure, T>({
    ...options,
    queryKey: keyOf(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  })
}

/** Fetches an answer before the part of the page that shows it asks for it; a failure is left to that part. */
export const askAhead = <E extends Any>(endpoint: E, input: InputOf<E>): Promise<void> =>
  queryClient.prefetchQuery({
    queryKey: keyOf(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  })

type Sending<E extends Any> = Omit<UseMutationOptions<OutputOf<E>, CallFailure, InputOf<E>>, 'mutationFn'> & {
  /** Calls whose cached answers this action makes stale. */
  refresh?: readonly Any[]
}

/** Does: `const save = useSend(changeMe, { refresh: [mySession] }); save.mutate({ fullName })`. */
export function useSend<E extends Any>(endpoint: E, { refresh = [], ...options }: Sending<E> = {}) {
  const client = useQueryClient()
  return useMutation<OutputOf<E>, CallFailure, InputOf<E>>({
    ...options,
    mutationFn: (input) => call(endpoint, input),
    onSuccess: async (...of) => {
      await Promise.all(refresh.map((one) => client.invalidateQueries({ queryKey: keyOf(one) })))
      await options.onSuccess?.(...of)
    },
  })
}

/** The sentence of a failure in the words of the screen. */
export function failureText(t: Words, failure: unknown): string {
  if (!(failure instanceof CallFailure)) return t('errors.kit.failed')
  const key = `errors.${failure.code}`
  const params = failure.retryAfterSeconds
    ? { ...failure.params, minutes: Math.ceil(failure.retryAfterSeconds / 60) }
    : failure.params
  const said = wordIfAny(t, key, params)
  return said ?? (failure.title && failure.code !== networkErrorCode ? failure.title : t('errors.kit.failed'))
}

/** `failureText` with the words of now. */
export function useFailureText(): (failure: unknown) => string {
  const t = useWords()
  return useCallback((failure) => failureText(t, failure), [t])
}

/** The sentences of the refused fields by path, and what is left to say above the form. */
export function fieldErrors(
  t: Words,
  failure: unknown,
  known: readonly string[],
): { fields: Record<string, string>; rest: string | undefined } {
  const fields: Record<string, string> = {}
  if (failure instanceof CallFailure)
    for (const { path, code, params } of failure.errors) {
      const name = known.find((one) => path === one || path.startsWith(`${one}.`))
      if (name) fields[name] ??= t(`errors.${code}`, params)
    }
  return { fields, rest: Object.keys(fields).length > 0 ? undefined : failureText(t, failure) }
}
