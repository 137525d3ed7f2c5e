import { LegalPage } from './LegalPage.tsx'

export const Screen = () => <LegalPage page="termsOld" />
