import { Embedded } from './Embedded.tsx'

export const Screen = () => <Embedded kind="wix" />
