/** Makes a module a function of its meter; `name`: of that function. */
export function meterLoops(text: string, name: string): string;
