import { useCallback } from 'react'
import { toast } from '../parts/notices.ts'
import { banner } from '../shell/banner.ts'
import { useWords } from '../words/words.tsx'

/**
 * Puts a text into the clipboard and says so. Where the browser does not let it (a page without TLS, a right
 * that was refused) the text is shown, to be copied by hand.
 */
export function useCopy(): (text: string, said?: string) => void {
  const t = useWords()
  return useCallback(
    (text, said = t('kit.copy.copied')) =>
      // Without TLS there is no clipboard at all: the promise makes both ways of failing one.
      void Promise.resolve()
        .then(() => navigator.clipboard.writeText(text))
        .then(
          () => toast(said),
          () => banner.info(t('kit.copy.byHand', { text })),
        ),
    [t],
  )
}
