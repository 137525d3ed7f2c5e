import { Button } from '../parts/Button.tsx'
import type { Language } from '../words.tsx'
import { retryWording } from '../wording.ts'

/** The only words in code: they are shown when no others have arrived. */
const said: Record<Language, { waiting: string; failed: string; again: string }> = {
  he: { waiting: 'טוענים…', failed: 'אין תשובה מהשרת. בדקו את החיבור לרשת.', again: 'ניסיון נוסף' },
  en: { waiting: 'Loading…', failed: 'The server does not answer. Check your connection.', again: 'Try again' },
  ar: { waiting: 'جار التحميل…', failed: 'لا يوجد رد من الخادم. افحصوا الاتصال بالشبكة.', again: 'محاولة أخرى' },
  ru: { waiting: 'Загрузка…', failed: 'Сервер не отвечает. Проверьте подключение к сети.', again: 'Повторить' },
  fr: { waiting: 'Chargement…', failed: 'Le serveur ne répond pas. Vérifiez votre connexion.', again: 'Réessayer' },
}

/** Shown until the words arrive; no route is shown before. */
export function Loading({ lang, failed, onAgain = retryWording }: { lang: Language; failed: boolean; onAgain?: () => void }) {
  const words = said[lang]
  return (
    <main className="s-loading" data-page="loading">
      <Mark />
      {failed ? (
        <>
          <p role="alert">{words.failed}</p>
          <Button onPress={onAgain}>{words.again}</Button>
        </>
      ) : (
        <p role="status">{words.waiting}</p>
      )}
    </main>
  )
}

/** The mark, its lines writing themselves; still under reduced motion. */
export function Mark() {
  return (
    <svg className="s-mark" viewBox="0 0 26 26" aria-hidden="true">
      <rect x="2" y="2" width="22" height="22" rx="6" fill="var(--accent)" />
      <path d="M17.5 7v12" stroke="#fff" strokeWidth="2" strokeLinecap="round" />
      <path className="l" d="M13.5 9.5h-6" stroke="#fff" strokeWidth="1.75" strokeLinecap="round" pathLength="1" />
      <path className="l" d="M13.5 13h-6" stroke="#fff" strokeWidth="1.75" strokeLinecap="round" pathLength="1" />
      <path className="l" d="M13.5 16.5h-4" stroke="#fff" strokeWidth="1.75" strokeLinecap="round" pathLength="1" />
    </svg>
  )
}
