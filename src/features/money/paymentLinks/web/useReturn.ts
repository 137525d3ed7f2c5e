import { useEffect, useRef, useState } from 'react'
import { failureText, useSend } from '#kit/web/call.ts'
import { usePlace } from '#kit/web/place.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words.tsx'
import type { checkLink, Outcome } from '../endpoints.ts'

/**
 * A payer who returns from the card form has the number of the charge in the address: its outcome is read from the
 * server, and `then` runs when it is known.
 */
export function useReturn(check: typeof checkLink, key: string, then: () => void) {
  const t = useWords()
  const { charge } = usePlace().query
  const [outcome, setOutcome] = useState<Outcome>()
  const { mutate, isPending } = useSend(check, {
    onSuccess: (said) => {
      setOutcome(said)
      then()
    },
    onError: (e) => void banner.error(failureText(t, e)),
  })
  const asked = useRef('')
  useEffect(() => {
    // Asked once for each return, even where effects run twice.
    if (!charge || asked.current === charge) return
    asked.current = charge
    const told = location.search.slice(1, 4001)
    mutate({ key, charge, told })
  }, [charge, key, mutate])
  return { outcome, isChecking: isPending }
}
