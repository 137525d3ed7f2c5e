import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider as AriaRouter } from 'react-aria-components'
import type { Screen } from '#kit/describe/screen.ts'
import { accountNow, leave, setAccount, type Account } from './session/account.ts'
import { callEvents, queryClient } from './calls/call.ts'
import { AriaLocale } from './parts/AriaLocale.tsx'
import { wantCameBack } from './routes/cameBack.ts'
import { go, wanted } from './routes/place.ts'
import { fetchAhead, fetchPart } from './calls/fetchPart.ts'
import { keepFocus } from './routes/keepFocus.ts'
import { fetchAddress, makeRouter, screenAt, type Router } from './routes/router.tsx'
import { listenToSession, session, setSession, useSession } from './session/session.ts'
import { languageFrom } from './words/language.ts'
import { banner } from './shell/banner.ts'
import { onLanguageChosen } from './shell/LanguageMenu.tsx'
import { Loading } from './shell/Loading.tsx'
import { GoogleNotice, NetworkNotice } from './shell/Notices.tsx'
import { sessionOver, sessionStarted, type MenuLink } from './shell/registry.ts'
import { setMenu } from './shell/menu.ts'
import { firstViewToday, googleTokenWaitMs, keepStart, start, withoutGoogleToken } from './start.ts'
import { store } from './session/storage.ts'
import { fetchFonts } from './theme/fonts.ts'
import { startTheme } from './theme.ts'
import { afterFirstScreen } from './hooks/useWhenIdle.ts'
import { WordsProvider } from './words/words.tsx'
import {
  changeLanguage,
  languageChosen,
  startWording,
  useWording,
  wordingNow,
  wordsAhead,
} from './words/wording.ts'

/** What features provide at the start: their screens, and lines of the menu without a screen. */
export interface Lists {
  screens: readonly Screen[]
  links: readonly MenuLink[]
}

export interface Application {
  /** The screens of the person who is not in yet. */
  waysIn: Lists
  /** Every screen; a visitor before the log-in page needs none of them. */
  whole: () => Promise<Lists>
  account: Account
  at: HTMLElement
}

/** Starts the application: address, theme, words, session, then the screens. */
export function startApp(of: Application): void {
  setAccount(of.account)
  const { account } = of
  wantCameBack()
  startTheme()
  keepFocus()
  keepStart(start)

  let notice: number | undefined
  callEvents.networkError = () => void (notice = banner.error(<NetworkNotice />))
  // Several calls may find out together; the session ends once.
  callEvents.sessionEnded = (token) => {
    if (session()?.UserKey === token) leave()
  }
  // Somebody granted or removed rights while this page is open.
  let rights: string | undefined
  callEvents.rightsSeen = (mark) => {
    const changed = rights !== undefined && rights !== mark
    // Also between two visits: what is kept for a start without a network was answered by the rights of then.
    const seen = `${session()?.CompanyKey ?? ''}/${mark}`
    const last = rights === undefined ? store.get('rightsSeen') : undefined
    if (rights !== mark) store.set('rightsSeen', seen)
    if (last && last !== seen) forgetAnswers()
    rights = mark
    if (!changed) return
    forgetAnswers()
    void learnRights().then(() => queryClient.invalidateQueries())
  }
  let keeping: Promise<() => Promise<void>> | undefined
  /** An extra, and in nobody's way: without it a page that is opened without a network is empty. */
  const keepAnswers = () => {
    keeping ??= new Promise<void>((done) => setTimeout(done, navigator.onLine ? aheadMs : 0))
      .then(() => import('./calls/keptAnswers.ts'))
      .then(({ startKeeping }) => startKeeping(queryClient, whoseAnswers))
    keeping.catch(() => undefined)
  }
  const forgetAnswers = () => void keeping?.then((forget) => forget()).catch(() => undefined)
  // Another person's answers must not be shown to this one.
  let key = session()?.UserKey
  listenToSession(() => {
    if (session()?.UserKey === key) return
    if (key !== undefined) {
      queryClient.clear()
      forgetAnswers()
    }
    key = session()?.UserKey
    rights = undefined
    if (key === undefined) return sessionOver()
    // Once the requested page is reached, the request is forgotten.
    setTimeout(() => (wanted.href = undefined), 5000)
    void learnRights()
    keepAnswers()
    sessionStarted()
  })

  onLanguageChosen((lang) => {
    if (session()) void account.keepLanguage(lang).catch(() => undefined)
  })
  // Another tab of this browser chose: they speak one language.
  addEventListener('storage', ({ key: name, newValue }) => {
    const lang = name === 'langXmlNumber' ? languageFrom(newValue) : undefined
    if (lang)
      void changeLanguage(lang).then(
        () => queryClient.invalidateQueries(),
        () => undefined,
      )
  })
  if (start.aff && firstViewToday(start.aff))
    account.countAffiliateView(start.aff).catch((e: unknown) => console.log('setAffiliatesViews', e))
  if (start.googletoken) {
    history.replaceState(
      history.state,
      '',
      location.pathname + withoutGoogleToken(location.search) + location.hash,
    )
    // A link must not put another person in the place of the one who is in.
    if (!session()) {
      const waits = banner.info(<GoogleNotice />, googleTokenWaitMs)
      setTimeout(
        () => void enterWithGoogle(start.googletoken!).finally(() => banner.hide(waits)),
        googleTokenWaitMs,
      )
    }
  }
  if (session()) {
    void learnRights()
    keepAnswers()
    sessionStarted()
  }
  addEventListener('online', () => {
    if (notice !== undefined) banner.hide(notice)
    void queryClient.invalidateQueries()
  })

  let fetched: Promise<Lists> | undefined
  const whole = (): Promise<Lists> =>
    (fetched ??= fetchPart(of.whole, 'told').catch((e: unknown) => {
      fetched = undefined
      throw e
    }))
  const root = createRoot(of.at)
  const begin = async (lists: Lists): Promise<void> => {
    setMenu(lists.screens, lists.links)
    const isWhole = lists !== of.waysIn
    const beyond = makeBeyond()
    const router = makeRouter(lists.screens, isWhole ? undefined : (...to) => beyond.ask(to))
    const words = startWording(account.brand, screenAt(lists.screens, location.pathname)?.open === 'anyone')
    // After the words, without which nothing is shown at all.
    const address = fetchAddress(lists.screens, location.pathname)
    // The router's view listens only once it is mounted, and a redirect may lead on before that.
    const stopListening = router.history.subscribe(router.load)
    const ready = Promise.allSettled([words, address, router.load(), fetchFonts(wordingNow().lang)])
    await Promise.race([ready, new Promise((done) => setTimeout(done, patienceMs))])
    stopListening()
    root.render(
      <StrictMode>
        <App first={{ ...lists, isWhole }} router={router} beyond={beyond} whole={whole} />
      </StrictMode>,
    )
  }
  const isWayIn = !session() && screenAt(of.waysIn.screens, location.pathname)?.open === 'guest'
  if (isWayIn) void begin(of.waysIn)
  else
    whole().then(begin, () =>
      root.render(<Loading lang={wordingNow().lang} failed onAgain={() => location.reload()} />),
    )
  if (import.meta.env.PROD) {
    // An extra: a page that cannot have it now has it the next time. What it keeps is fetched over the same
    // line as the first screen, so it comes after it.
    void afterFirstScreen()
      .then(() => import('./serviceWorker.ts'))
      .then(({ startServiceWorker }) => startServiceWorker())
      .catch(() => undefined)
  }
}

/** A mark of the log-in, its business and its language, by which no key of the log-in can be told. */
function whoseAnswers(): string | undefined {
  const of = session()
  if (!of) return undefined
  let mark = 0
  for (const letter of of.UserKey) mark = (Math.imul(mark, 31) + letter.charCodeAt(0)) | 0
  return `${mark}/${of.CompanyKey ?? ''}/${wordingNow().lang}`
}

/** Rights change while a browser sleeps: they are asked for at the start and after a log-in. */
async function learnRights(): Promise<void> {
  try {
    const { language, ...fresh } = await accountNow().refresh()
    const held = session()
    if (!held) return
    const next = { ...held, ...fresh, UserKey: held.UserKey }
    if (JSON.stringify(next) !== JSON.stringify(held)) setSession(next)
    const own = languageFrom(language)
    // A new device speaks the language of the account until told otherwise.
    if (own && !languageChosen() && own !== wordingNow().lang) await changeLanguage(own)
  } catch {
    // No answer: what is kept holds; a session that ended has been told already.
  }
}

async function enterWithGoogle(token: string): Promise<void> {
  try {
    const answer = await accountNow().logInWithGoogle(token)
    if (!answer) return
    if ('session' in answer) setSession(answer.session)
    else go(accountNow().askFactor(answer.factorToken))
  } catch (e) {
    // The log-in page stays, with its other ways in.
    banner.error(<GoogleNotice refused={e} />)
  }
}

/**
 * What a call may be refused with, and what is behind the log-in, is here before it is needed and not in the
 * way of the first screen.
 */
const aheadMs = 4000

/**
 * How long the page waits for everything its first screen needs, which mostly is on its way already, before it shows
 * that it is loading. Drawn in one go the screen is ready sooner than when a loading sign, its frame and its content
 * are drawn one after the other.
 */
const patienceMs = 400

type Going = Parameters<typeof go>

/** Where the router over the ways in is asked for what lies beyond them. */
interface Beyond {
  ask: (to: Going) => void
  /** Gives it a way to answer, beginning with what was asked before there was one. */
  answerBy: (answer: (to: Going) => void) => void
}

function makeBeyond(): Beyond {
  let asked: Going | undefined
  let answerNow = (to: Going): void => void (asked = to)
  return {
    ask: (to) => answerNow(to),
    answerBy(answer) {
      answerNow = answer
      if (asked) answer(asked)
    },
  }
}

interface Begun {
  first: Lists & { isWhole: boolean }
  /** Over the first lists; it has been led to where the address says. */
  router: Router
  beyond: Beyond
  whole: () => Promise<Lists>
}

function App({ first, router: firstRouter, beyond, whole }: Begun) {
  const { lang, dic, failed, brand } = useWording()
  const [lists, setLists] = useState(first)
  const isIn = useSession() !== undefined
  const going = useRef<Going>(undefined)
  const complete = useCallback(
    () =>
      void whole().then(
        (all) => {
          setMenu(all.screens, all.links)
          setLists({ ...all, isWhole: true })
        },
        () => banner.error(<NetworkNotice retry={location.href} />),
      ),
    [whole],
  )
  useEffect(() => {
    const timer = setTimeout(() => {
      fetchAhead(() => wordsAhead(['errors']))
      fetchAhead(whole)
    }, aheadMs)
    return () => clearTimeout(timer)
  }, [whole])
  // The person who has come in goes on with all screens; so does the person who asks for a page that is no way in.
  useEffect(() => {
    if (isIn && !lists.isWhole) complete()
  }, [isIn, lists.isWhole, complete])
  useLayoutEffect(() => {
    if (first.isWhole) return
    beyond.answerBy((to) => {
      going.current = to
      complete()
    })
  }, [first, beyond, complete])
  const router = useMemo(
    () => (lists === first ? firstRouter : makeRouter(lists.screens)),
    [lists, first, firstRouter],
  )
  useEffect(() => {
    if (!lists.isWhole || !going.current) return
    go(...going.current)
    going.current = undefined
  }, [lists, router])
  if (!dic || (isIn && !lists.isWhole)) return <Loading lang={lang} failed={failed} />
  return (
    <WordsProvider
      lang={lang}
      dic={dic}
      own={brand.words}
      {...(brand.isDealer ? { product: brand.name } : {})}
    >
      <AriaLocale>
        <QueryClientProvider client={queryClient}>
          <AriaRouter navigate={(href, options) => go(href, options as { replace?: boolean } | undefined)}>
            <RouterProvider router={router} />
          </AriaRouter>
        </QueryClientProvider>
      </AriaLocale>
    </WordsProvider>
  )
}
