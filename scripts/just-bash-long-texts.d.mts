export const longTextFunctions: string;
