// Lists plants with the client of OpenAPI Generator, and prints list pages or a failure as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/url"
	"os"
	"regexp"
	"strconv"

	"example.com/list-plants/plantstore"
)

type failure struct {
	Status  int    `json:"status"`
	Error   int32  `json:"error,omitempty"`
	Message string `json:"message"`
}

var next = regexp.MustCompile(`<([^>]*)>; rel="next"`)

func main() {
	configuration := plantstore.NewConfiguration()
	configuration.Servers = plantstore.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	client := plantstore.NewAPIClient(configuration)
	request := client.PlantsAPI.ListPlants(withToken(context.Background()))
	if len(os.Args) > 1 {
		limit, err := strconv.ParseInt(os.Args[1], 10, 32)
		check(err)
		request = request.Limit(int32(limit))
	}
	pages := [][]plantstore.Plant{}
	for {
		plants, response, err := request.Execute()
		var apiError *plantstore.GenericOpenAPIError
		if errors.As(err, &apiError) {
			printJSON(failureIn(response.StatusCode, apiError))
			return
		}
		check(err)
		pages = append(pages, plants)
		link := next.FindStringSubmatch(response.Header.Get("Link"))
		if link == nil {
			printJSON(map[string]any{"pages": pages})
			return
		}
		target, err := url.Parse(link[1])
		check(err)
		request = request.Cursor(target.Query().Get("cursor"))
	}
}

func withToken(ctx context.Context) context.Context {
	if token := os.Getenv("TOKEN"); token != "" {
		return context.WithValue(ctx, plantstore.ContextAccessToken, token)
	}
	return ctx
}

func failureIn(status int, apiError *plantstore.GenericOpenAPIError) failure {
	switch model := apiError.Model().(type) {
	case plantstore.Error:
		return failure{status, model.Error, model.Message}
	case plantstore.GatewayError:
		return failure{status, 0, model.Message}
	case plantstore.AuthenticationError:
		if model.Error != nil {
			return failure{status, model.Error.Error, model.Error.Message}
		}
		return failure{status, 0, model.GatewayError.Message}
	}
	return failure{status, 0, apiError.Error()}
}

func printJSON(value any) {
	text, err := json.Marshal(value)
	check(err)
	fmt.Println(string(text))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
