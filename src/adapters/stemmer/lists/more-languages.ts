/** Italian, Portuguese and Dutch words for what tools do and for what they do it to, in the form of the other languages. */
export const moreLanguages = `
: il lo gli uno una un nel nella nei negli delle della degli dello dei del dal dalla sul sulla alla alle allo agli che chi_e mio mia miei mie tuo nostro nostra nostri per_favore grazie ho hai abbiamo vorrei puoi potresti questo questa questi queste sono c_e os as um uma no na nos nas do da dos das ao aos pelo pela meu minha meus minhas nosso nossa nossos esse essa isso isto este quero queria voce pode por_favor obrigado esta estou foi foram het een de mijn ons onze jouw deze dit dat die voor naar met aan bij uit op in van of er is zijn heb hebben kun kunt kan wil je jij graag alsjeblieft alstublieft moet wordt
create make new : crea creare creami nuovo nuova nuovi cria criar crie novo nova novos maak maken nieuw nieuwe aanmaken aanmaak
add : aggiung* adiciona* acrescenta* voeg voegt toevoegen toevoeg* voeg_toe
delete remove : cancella* rimuov* togli* apaga* remove* remova exclui* elimina* verwijder* wis gooi
get show : mostra* fammi_vedere dammi vedi visualizza* mostre me_mostra toon laat laat_zien geef bekijk
read : leggi* ler leia lees lezen
open : apri aprire abra abrir open
close : chiudi* chiudere fecha* feche encerra* sluit sluiten
list which : quali elenca* elenco lista* quais qual welke lijst lijstje overzicht
search find : cerca* trova* trovami procura* procure encontr* busca* pesquis* zoek zoeken zoek_op vind vinden opzoek*
what : cosa che_cosa o_que wat
who : chi quem wie
when : quando wanneer
where : dove onde waar
how many count : quanti quante quantos quantas hoeveel
update change edit : aggiorna* modifica* cambia* atualiz* altera* mude muda edita* wijzig* bewerk* verander* bijwerk* werk_bij aanpassen pas_aan
rename : rinomina* renomeia* renomeie hernoem*
move : sposta* mova move mover verplaats* verzet verschuif
copy duplicate : copia* duplica* kopieer* dupliceer*
write : scrivi* scrivere escrev* schrijf* noteer
send : invia* inviare manda* spedisci envie enviar envia* stuur* verstuur* verzend* zend
reply answer : rispond* responde* responda antwoord* beantwoord*
save : salva* salvare salve bewaar* sla_op opslaan
upload : carica* caricare carrega* envie_o_arquivo upload*
download : scarica* scaricare baixa* baixar baixe download*
start run : avvia* esegui* eseguire inicia* inicie execut* execute rode start* voer_uit uitvoeren draai
stop : ferma* arresta* interrompi pare parar interromp* stop*
restart : riavvia* reinicia* reinicie herstart*
cancel : annulla* disdici* cancele cancelar cancela* annuleer* zeg_af afzeggen opzeggen zeg_op
schedule plan : pianifica* programma* fissa agende agendar marque marcar plan plannen inplannen
book reserve : prenota* reserve reservar boek* reserveer*
accept : accetta* aceite aceitar aceita accepteer*
decline reject : rifiuta* recuse recusar rejeit* weiger* afwijzen wijs_af
approve : approva* aprove aprovar keur_goed goedkeuren
assign : assegna* atribu* wijs_toe toewijzen
pay : paga* pagare pague betaal*
click : clicca* clique clicar klik klikken
press : premi* premere pressione aperte druk drukken
fill form : compila* compilare riempi preencha preencher vul_in invullen vul
type enter : digita* digite typ typen
choose select option : scegli* seleziona* escolha selecion* kies kiezen selecteer*
wait : aspetta* attendi espere aguarde wacht wachten
check status verify : controlla* verifica* verifique confira controleer* nakijken kijk_na
compare : confronta* compara* compare vergelijk*
translate : traduci* traduz* vertaal*
convert : converti* converta omzet* reken_om
merge : unisci* mescla* samenvoeg* voeg_samen
archive : archivia* arquiva* arquive archiveer*
share : condividi* compartilh* partilh* deel delen
invite : invita* convide convidar nodig_uit uitnodigen
subscribe : iscrivi* inscreva abonneer*
unsubscribe : disiscrivi* descadastr* cancele_a_inscricao uitschrijv*
remember : ricorda* lembre lembra* onthoud herinner*
forget delete : dimentica* esqueca vergeet
turn on : accendi* ligue ligar acenda doe_aan zet_aan aanzetten
turn off : spegni* desligue desligar apague doe_uit zet_uit uitzetten
play start : riproduci* suona* metti toque tocar reproduz* speel spelen afspelen speel_af
pause : pausa in_pausa pauzeer*
export : esporta* exporte exportar exporteer*
import : importa* importe importar importeer*
install : installa* instale instalar installeer*
deploy : distribuisci implante implantar uitrollen rol_uit
restore : ripristina* restaure restaurar herstel*
refund : rimbors* reembols* terugbetal* stort_terug
mark complete : segna_come completata completato conclua concluir conclui* afronden vink_af afvinken voltooi*
image picture : immagine immagini imagem imagens afbeelding* plaatje*
photo image : foto fotografia*
screenshot : schermata screenshot captura_de_tela schermafbeelding* schermafdruk*
file : file_di arquivo* ficheiro* bestand*
document : documento* documenti document*
folder directory : cartella cartelle pasta pastas map mappen
page : pagina pagine paginas pagina_s
website page : sito siti_web site website* webpagina*
link url : collegamento link koppeling*
button : pulsante bottone botao knop knoppen
form : modulo formulario formulier*
field : campo campi campos veld velden
message : messaggio messaggi mensagem mensagens bericht berichten
channel : canale canali canal canais kanaal kanalen
thread : discussione conversa draad
comment : commento commenti comentario* opmerking* reactie commentaar
reaction : reazione reagisci reacao reaja reageer* duim
user : utente utenti usuario* utilizador* gebruiker*
member : membro membri membros lid leden
team : squadra equipe time_de team*
person contact : persona persone pessoa* persoon personen
contact : contatto contatti contato* contacto* contact*
email mail : e_mail posta mail mails email emails e_mails correio
inbox email : casella_di_posta posta_in_arrivo caixa_de_entrada postvak_in inbox
attachment : allegato allegati anexo* bijlage*
draft : bozza bozze rascunho* concept concepten
label : etichetta etichette etiqueta* rotulo* label*
calendar : calendario calendari agenda kalender*
event appointment calendar : evento eventi appuntament* compromisso* eventos afspraak afspraken gebeurtenis*
meeting event : riunione riunioni incontro reuniao reunioes vergadering*
invitation : invito convite* uitnodiging*
task : compito compiti attivita tarefa* taak taken
reminder : promemoria lembrete* herinnering*
note : nota appunt* notitie* anotacao
list : lista elenco lijst lijsten
project : progetto progetti projeto* project*
issue bug problem : problema problemi segnalazione problema* erro fout fouten probleem
ticket : biglietto chamado* ticket*
repository : deposito repositorio*
branch : ramo rami ramos tak takken
version release : versione versoes versao versie*
pull_request : richiesta_di_pull
changes : modifiche mudancas alteracoes wijzigingen
history log : cronologia storico historico geschiedenis
error : errore errori erros foutmelding*
log : registri registro logboek*
database : base_di_dati banco_de_dados base_de_dados database*
table : tabella tabelle tabela* tabel tabellen
row record : riga righe linha* rij rijen regel regels
column field : colonna coluna* kolom kolommen
query : interrogazione consulta* zoekopdracht
customer : cliente clienti clientes klant klanten
order : ordine ordini encomenda* pedido* bestelling*
invoice : fattura fatture fatura* factuur facturen
payment : pagamento pagamenti pagamentos betaling*
price : prezzo prezzi preco* prijs prijzen
product : prodotto prodotti produto* product*
discount coupon : sconto sconti buono cupom desconto* korting* kortingscode*
subscription : abbonamento abbonamenti assinatura* abonnement*
balance account : saldo
account : conto conta contas rekening*
shop store : negozio loja winkel webwinkel*
cart : carrello carrinho* winkelwagen mandje
shipment : spedizion* envio entrega* zending* levering*
stock inventory : magazzino scorte estoque voorraad
company : azienda impresa empresa* bedrijf bedrijven
employee : dipendente dipendenti funcionario* medewerker*
address : indirizzo indirizzi endereco* morada adres adressen
map place : mappa luogo luoghi mapa lugar kaart plaats
route directions : percorso strada_per come_arrivo come_si_arriva rota caminho como_chego route hoe_kom_ik
distance duration travel : distanza quanto_ci_vuole distancia quanto_tempo afstand hoe_lang hoe_ver
restaurant places nearby : ristorante ristoranti restaurante* restaurant* vicino perto buurt dichtbij
weather : meteo tempo_fa tempo_fara clima previsao weer weerbericht
time current : che_ore ora_e que_horas horas_sao hoe_laat
timezone : fuso_orario fuso_horario tijdzone*
today : oggi hoje vandaag
tomorrow : domani amanha morgen
yesterday : ieri ontem gisteren
week : settimana semana week
month : mese mes maand
year : anno ano jaar
monday : lunedi segunda_feira maandag
day : martedi mercoledi giovedi venerdi sabato domenica terca_feira quarta_feira quinta_feira sexta_feira dinsdag woensdag donderdag vrijdag zaterdag zondag
light : luce luci lampada luz luzes lamp lampen licht
temperature thermostat : temperatura riscaldamento aquecimento temperatuur verwarming
front door lock : porta serratura fechadura deur slot
music song : musica canzone canzoni brano brani musica* cancao muziek liedje* nummer
playlist : scaletta playlist* afspeellijst*
volume : volume geluid
video : video filmato videos filmpje*
movie : film filme films
book : libro libri livro* boek boeken
article : articolo articoli artigo* artikel*
news : notizia notizie noticias nieuws
recipe : ricetta ricette receita* recept*
flight : volo voli voo* vlucht*
hotel : albergo alberghi hotel*
train : treno treni comboio* trem trens trein*
trip : viaggio viagg* viagem reis
server : server servidor*
report : rapporto relazione relatorio* rapport*
summary : riassunto riassumi* resumo resuma samenvatting* vat_samen
board : bacheca scheda_di quadro bord borden
card : scheda schede cartao cartoes kaart kaarten kaartje*
settings : impostazion* configuraco* configurac* instelling*
password : parola_d_ordine senha* palavra_passe wachtwoord*
status : stato estado status
deadline due date : scadenza prazo* deadline vervaldatum
overdue : scadut* atrasad* achterstallig*
alert : avviso avvisi allarme alerta* melding* waarschuwing*
incident : incidente incidenti incidentes storing*
group : gruppo gruppi grupo* groep groepen
name : nome nomi nomes naam
size : dimensione dimensioni tamanho grootte
latest : ultimo ultima ultimi ultime ultimas ultimos laatste recente
all : tutti tutte tutto todos todas alle alles
open : aperti aperte aperto abert* openstaande
are there : ci_sono c_e ha_dei zijn_er er_zijn
presentation slides : presentazion* apresentac* apresentaco* presentatie*
slide : diapositiv* slide slides dia dias
spreadsheet sheet : foglio fogli planilha* folha_de_calculo rekenblad* spreadsheet*
cell : cella celle celula* cel cellen
document doc : documento doc
share permission : condivid* compartilh* partilh* deel delen toegang
comment add : commenta comente reageer
rename : rinomina* renome* hernoem*
version revision : revision* versione versao versie
web search : su_internet na_internet op_internet
subtitle transcript : sottotitol* legenda* ondertitel*
assign : assegna* atribua atribui* wijs_toe toewijs*
log time worklog : ore_lavorate registra_ore horas_trabalhadas uren boek
sprint : sprint
link relation : collega vincul* koppel*
contact : contatto contato contactpersoon
deal : affare negocio deal
`;
