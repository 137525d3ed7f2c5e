import { useEffect, useRef, useState } from 'react'
import { failureText } from '../calls/call.ts'
import { mayHelp } from '../parts/Failed.tsx'
import { usePlace } from '../routes/place.ts'
import { banner } from '../shell/banner.ts'
import { useWords } from '../words/words.tsx'

/** What a page sends to learn the outcome of a form: the charge, and what the acquirer wrote into the address. */
interface Returned {
  key: string
  charge: string
  told: string
}

const pauseMs = 2000
const mostChecks = 8

/**
 * Payers who return from an acquirer's form have the charge in the address. Its outcome is read from the server, and
 * again while the acquirer itself does not know (`inDoubt`). `isChecking` holds from the first render until it is
 * known: nobody is offered the form a second time meanwhile. `onKnown` runs when it is known: the page is read again.
 */
export function useReturn<O>(
  check: (input: Returned) => Promise<O>,
  key: string,
  {
    isInDoubt = () => false,
    onKnown,
  }: { isInDoubt?: (outcome: O) => boolean; onKnown?: (outcome: O) => void },
) {
  const t = useWords()
  const { charge } = usePlace().query
  const [known, setKnown] = useState<{ charge: string; outcome?: O; failure?: unknown }>()
  const given = useRef({ check, isInDoubt, onKnown })
  useEffect(() => {
    given.current = { check, isInDoubt, onKnown }
  })
  const ask = async (of: string, told: string) => {
    try {
      let outcome = await given.current.check({ key, charge: of, told })
      for (let n = 1; n < mostChecks && given.current.isInDoubt(outcome); n++) {
        await new Promise((done) => setTimeout(done, pauseMs))
        outcome = await given.current.check({ key, charge: of, told })
      }
      setKnown({ charge: of, outcome })
      given.current.onKnown?.(outcome)
    } catch (failure) {
      if (mayHelp(failure)) setKnown({ charge: of, failure })
      else {
        setKnown({ charge: of })
        banner.error(failureText(t, failure))
      }
    }
  }
  const asked = useRef('')
  useEffect(() => {
    // Asked once for each return, even where effects run twice.
    if (!charge || asked.current === charge) return
    asked.current = charge
    void ask(charge, location.search.slice(1, 4001))
  })
  const answer = known?.charge === charge ? known : undefined
  return {
    outcome: answer?.outcome,
    /** The server or the acquirer did not answer, and may later; `again` asks once more. */
    failure: answer?.failure,
    isChecking: Boolean(charge) && !answer,
    again: () => {
      asked.current = ''
      setKnown(undefined)
    },
  }
}
